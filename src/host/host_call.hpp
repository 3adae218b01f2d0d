#pragma once

#include "arguments/side.hpp"
#include "engine/communication.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace carpool::host {

/// One side of a call as MPI's own functions of one count take it.
struct PlainSide {
    explicit PlainSide(const arguments::Side& side)
        : buffer(side.buffer), count(side.count(0)), type(side.type(0)) {}

    int narrow() const { return static_cast<int>(count); }

    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
};

/// May a side be given to MPI's functions that take one count? Alike on all ranks of right calls.
inline bool is_plain(const arguments::Side& side) {
    return !side.varying_counts() && !side.varying_types;
}

/// May blocks of so many bytes? Their counts are ints then, whatever their type.
bool is_narrow(std::int64_t bytes);

/// MPI's own blocking collective. The start is all of it, and waits for other ranks: what goes on
/// in this process meanwhile goes on from within MPI's progress.
class HostCall final : public engine::Communication {
public:
    /// @param call  calls MPI's function, and gives its code. @note Collective
    explicit HostCall(std::function<int()> call) : call_(std::move(call)) {}

    void start(int tag) override;
    bool advance() override { return true; }
    bool forwards() const override { return false; }

private:
    std::function<int()> call_;
};

}  // namespace carpool::host
