#include "call/trial.hpp"

#include "choose/verdict.hpp"

#include <algorithm>
#include <utility>

namespace carpool::call {

namespace {

/// Of one or two, of which one may have been disturbed.
double least(const std::vector<double>& seconds) { return *std::ranges::min_element(seconds); }

}  // namespace

Trial::Trial(std::vector<std::shared_ptr<BoundCall>> rivals, const mpi::CommState& state,
             engine::Summary& shown, std::function<void(const std::string&)> found)
    : rivals_(std::move(rivals)),
      shown_(shown),
      found_(std::move(found)),
      turns_(rivals_.size()),
      seconds_(rivals_.size()),
      own_(2 * rivals_.size()),
      slowest_(own_.size()),
      comparison_(state, collectives::Kind::allreduce, small_allreduce(state),
                  CollectiveBlocks{{block_of(own_)}, {block_of(slowest_)}, MPI_MAX, {}}) {
    for (auto& of_rival : seconds_)
        of_rival.reserve(choose::TrialTurns::looks + choose::TrialTurns::races);
    shown_ = rivals_.front()->summary;
}

void Trial::begin_with(std::size_t rival, bool later) {
    chosen_ = rival;
    shown_ = rivals_[rival]->summary;
    turns_.rest(later ? choose::TrialTurns::first_rest : choose::TrialTurns::for_ever);
}

/// All messages of a request have one tag, so nothing else is posted before the comparison has
/// ended.
void Trial::start(int tag) {
    tag_ = tag;
    if (!turns_.compares()) return run(turns_.next(chosen_));
    for (std::size_t rival = 0; rival < rivals_.size(); ++rival) {
        const auto [median, uncertainty] = turns_.tolerance()
                                               ? choose::Timing{least(seconds_[rival]), 0}
                                               : choose::timing_of(seconds_[rival]);
        own_[rival] = median;
        own_[rivals_.size() + rival] = uncertainty;
    }
    comparing_ = true;
    comparison_.start(tag);
}

void Trial::run(std::size_t rival) {
    running_ = rival;
    if (turns_.counts()) began_ = Clock::now();
    running().start(tag_);
}

bool Trial::advance() {
    if (comparing_) {
        if (!comparison_.test()) return false;
        decide();
        run(turns_.next(chosen_));
    }
    if (!running().advance()) return false;
    note();
    return true;
}

/// A start of the trial, or after it, has ended.
void Trial::note() {
    if (turns_.counts())
        seconds_[running_].push_back(std::chrono::duration<double>(Clock::now() - began_).count());
    if (!turns_.pass()) return;
    for (auto& of_rival : seconds_) of_rival.clear();
}

void Trial::decide() {
    comparing_ = false;
    std::vector<choose::Timing> timings;
    for (std::size_t rival = 0; rival < rivals_.size(); ++rival)
        timings.push_back({slowest_[rival], slowest_[rivals_.size() + rival]});
    const auto tolerance = turns_.tolerance();
    if (!tolerance) {
        settle(choose::verdict(timings, chosen_));
        return turns_.compared({});
    }
    auto left = choose::near_the_fastest(timings, *tolerance);
    if (turns_.may_be_cold()) {
        if (std::ranges::count(left, chosen_) == 0) left.push_back(chosen_);  // for a second look
    } else {
        for (const auto rival : left) seconds_[rival].erase(seconds_[rival].begin());  // the glance
    }
    if (left.size() == 1) settle(left.front());
    turns_.compared(std::move(left));
}

void Trial::settle(std::size_t rival) {
    chosen_ = rival;
    shown_ = rivals_[rival]->summary;
    if (found_) found_(shown_.algorithm);
}

void Trial::withdraw() {
    if (comparing_)
        comparison_.withdraw();
    else
        running().withdraw();
    comparing_ = false;
}

bool Trial::has_all_of(int rank) const {
    return comparing_ ? comparison_.has_all_of(rank) : running().has_all_of(rank);
}

std::vector<int> Trial::awaited() const {
    return comparing_ ? comparison_.awaited() : running().awaited();
}

/// All wait for each other where times are compared.
bool Trial::forwards() const {
    return turns_.compares() || rivals_[turns_.next(chosen_)]->communication->forwards();
}

}  // namespace carpool::call
