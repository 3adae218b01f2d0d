#pragma once

#include "call/bound_call.hpp"
#include "call/comparison.hpp"
#include "choose/standings.hpp"
#include "engine/communication.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace carpool::call {

/// Several ways to do what a persistent request asks for, measured while it works: its first starts
/// go by each of them in turn, as TrialTurns has it, and every one delivers. Where a stage ends the
/// next start begins with a small allreduce of the times, so that all ranks leave what is slow, and
/// in the end go on, from the same start by the way that takes the slowest of them the least time.
/// Once in many starts all are tried again: machines change.
class Trial final : public engine::Communication {
public:
    /// @param rivals  alike on all ranks, the one that is thought fastest first
    /// @param shown   what the request says of itself: of the way that is in use. It outlives this
    /// @param found   is told at the end of each trial which was the fastest
    Trial(std::vector<std::shared_ptr<BoundCall>> rivals, const mpi::CommState& state,
          engine::Summary& shown, std::function<void(const std::string& algorithm)> found);

    /// Begins without a trial. @param later  whether one is to follow, as after a trial
    void begin_with(std::size_t rival, bool later);

    void start(int tag) override;
    bool advance() override;
    void withdraw() override;
    bool forwards() const override;
    bool only_receives() const override;

private:
    using Clock = std::chrono::steady_clock;

    engine::Communication& running() const { return *rivals_[running_]->communication; }
    void run();
    void note();
    void decide();
    void show();

    std::vector<std::shared_ptr<BoundCall>> rivals_;
    engine::Summary& shown_;
    std::function<void(const std::string&)> found_;
    std::size_t running_ = 0;
    int tag_ = 0;
    choose::Standings standings_;
    Clock::time_point began_;
    std::unique_ptr<Comparison> comparison_;
    bool comparing_ = false;
};

}  // namespace carpool::call
