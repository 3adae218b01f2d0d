#pragma once

#include "call/typed_memory.hpp"
#include "engine/preparation.hpp"
#include "group/binding.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "mpi/comm_state.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace carpool::group {

/// Finds out which algorithm takes the slowest rank the least time, on memory of the library's own:
/// each in turn is started and completed several times, then all ranks compare.
class Measurement {
public:
    /// @param tag  used only until it has ended
    Measurement(std::vector<Plan> candidates, const Call& call, const Settings& settings,
                const mpi::CommState& state, int tag);
    Measurement(const Measurement&) = delete;  // its numbers are buffers
    Measurement& operator=(const Measurement&) = delete;

    /// One step without waiting; true at the end.
    bool test();

    /// The same on all ranks. @pre ended
    Plan fastest() const;

private:
    using Clock = std::chrono::steady_clock;

    void start();
    void compare();
    bool next();

    std::vector<Plan> candidates_;
    Settings settings_;
    const mpi::CommState& state_;
    int tag_;
    std::shared_ptr<Call> rehearsal_;  ///< the call on other memory
    call::TypedMemory sent_;
    call::TypedMemory received_;
    std::size_t candidate_ = 0;
    int starts_ = 0;  ///< of this candidate
    Clock::time_point begin_;
    std::vector<double> seconds_;  ///< per candidate
    std::vector<double> slowest_;  ///< of all ranks
    std::shared_ptr<engine::Prepared> running_;
};

}  // namespace carpool::group
