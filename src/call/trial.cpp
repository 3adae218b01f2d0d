#include "call/trial.hpp"

#include <utility>

namespace carpool::call {

Trial::Trial(std::vector<std::shared_ptr<BoundCall>> rivals, const mpi::CommState& state,
             engine::Summary& shown, std::function<void(const std::string&)> found)
    : rivals_(std::move(rivals)),
      shown_(shown),
      found_(std::move(found)),
      standings_(rivals_.size()),
      comparison_(new_comparison(state)) {
    show();
}

void Trial::begin_with(std::size_t rival, bool later) {
    standings_.begin_with(rival, later);
    show();
}

void Trial::show() { shown_ = rivals_[standings_.in_use()]->summary; }

/// All messages of a request have one tag, so nothing else is posted before the comparison has
/// ended.
void Trial::start(int tag) {
    tag_ = tag;
    if (!standings_.compares()) return run();
    put_standings(standings_.numbers(), *comparison_);
    comparing_ = true;
    comparison_->start(tag);
}

void Trial::run() {
    running_ = standings_.next();
    if (standings_.counts()) began_ = Clock::now();
    running().start(tag_);
}

bool Trial::advance() {
    if (comparing_) {
        if (!comparison_->advance()) return false;
        decide();
        run();
    }
    if (!running().advance()) return false;
    note();
    return true;
}

/// A start of the trial, or after it, has ended.
void Trial::note() {
    if (standings_.counts())
        standings_.add(running_, std::chrono::duration<double>(Clock::now() - began_).count());
    standings_.pass();
}

void Trial::decide() {
    comparing_ = false;
    if (standings_.decide(comparison_->result()) != choose::Standings::Outcome::settled) return;
    show();
    if (found_) found_(shown_.algorithm);
}

void Trial::withdraw() {
    if (comparing_)
        comparison_->withdraw();
    else
        running().withdraw();
    comparing_ = false;
}

/// All wait for each other where times are compared.
bool Trial::forwards() const {
    return standings_.compares() || rivals_[standings_.next()]->communication->forwards();
}

bool Trial::only_receives() const {
    return !standings_.compares() && rivals_[standings_.next()]->communication->only_receives();
}

}  // namespace carpool::call
