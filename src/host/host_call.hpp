#pragma once

#include "arguments/side.hpp"
#include "engine/activity.hpp"
#include "engine/communication.hpp"
#include "engine/inside.hpp"
#include "mpi/error.hpp"

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

/// Calls MPI's own blocking collective, which waits for other ranks: what goes on in this process
/// meanwhile goes on from within MPI's progress. @param function  calls it, and gives its code
template <typename Function>
void call(const Function& function) {
    if (engine::Activity::any()) engine::Activity::go_on_outside();
    const engine::Outside outside;
    mpi::check(function(), "MPI's own collective");
}

/// MPI's own blocking collective as a communication, of which the start is all.
class HostCall final : public engine::Communication {
public:
    /// @param function  as above. @note Collective
    explicit HostCall(std::function<int()> function) : function_(std::move(function)) {}

    void start(int) override { call(function_); }
    bool advance() override { return true; }
    bool forwards() const override { return false; }

private:
    std::function<int()> function_;
};

}  // namespace carpool::host
