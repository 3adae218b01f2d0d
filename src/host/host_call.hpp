#pragma once

#include "arguments/side.hpp"
#include "engine/communication.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <utility>

namespace carpool::host {

/// One side of a call as the host MPI's functions with a single count take it.
struct PlainSide {
    explicit PlainSide(const arguments::Side& side)
        : buffer(side.buffer), count(side.count(0)), type(side.type(0)) {}

    int narrow() const { return static_cast<int>(count); }

    void* buffer;
    MPI_Count count;
    MPI_Datatype type;
};

/// Whether a side can be given to MPI's functions with a single count. The same on all ranks of a
/// valid call.
inline bool is_plain(const arguments::Side& side) {
    return !side.varying_counts() && !side.varying_types;
}

/// Whether blocks of so many bytes can be given to them: their counts are ints then, whatever their
/// datatype.
bool is_narrow(std::int64_t bytes);

/// The host MPI's own blocking collective. start() carries it out completely and waits for other
/// ranks; the activities of this process are progressed from within MPI's progress meanwhile.
class HostCall final : public engine::Communication {
public:
    /// @param call  calls MPI's function, and returns its error code. @note Collective
    explicit HostCall(std::function<int()> call) : call_(std::move(call)) {}

    void start(int tag) override;
    bool advance() override { return true; }
    bool forwards() const override { return false; }

private:
    std::function<int()> call_;
};

}  // namespace carpool::host
