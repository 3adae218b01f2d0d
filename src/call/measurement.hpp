#pragma once

#include "call/family.hpp"
#include "call/joint.hpp"
#include "call/plans.hpp"
#include "call/typed_memory.hpp"
#include "engine/exchange.hpp"
#include "mpi/comm_state.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::call {

/// Finds out which candidate takes the slowest rank the least time, on memory of the library's own:
/// each in turn is started and completed several times, then all ranks compare.
class Measurement {
public:
    /// @param tag  used only until it has ended
    /// @pre plans, family and state outlive it
    Measurement(const std::vector<Planned>& plans, const Family& family,
                const mpi::CommState& state, int tag);
    Measurement(const Measurement&) = delete;  // its numbers are buffers
    Measurement& operator=(const Measurement&) = delete;

    /// One step without waiting; true at the end.
    bool test();

    /// The number of the plan, the same on all ranks. @pre ended
    std::size_t fastest() const;

private:
    using Clock = std::chrono::steady_clock;

    void rehearse();
    void start();
    void compare();
    bool next();

    const std::vector<Planned>& plans_;
    const Family& family_;
    const mpi::CommState& state_;
    int tag_;
    std::size_t plan_ = 0;
    int starts_ = 0;  ///< of this plan
    Clock::time_point begin_;
    TypedMemory send_, recv_, temp_;
    std::unique_ptr<engine::Exchange> running_;
    std::vector<double> seconds_;              ///< per plan
    std::optional<Joint<double>> comparison_;  ///< of the slowest ranks' seconds
};

}  // namespace carpool::call
