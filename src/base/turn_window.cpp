// SPDX-License-Identifier: MIT
#include "base/turn_window.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::base {

/// The window is a quarter of the tags, because a rank that has ended a call may be ahead of one
/// that has not.
TurnWindow::TurnWindow(std::int64_t turns_before_reuse)
    : width_(std::min<std::int64_t>(widest, turns_before_reuse / 4)) {}

bool TurnWindow::has_room() const {
    const std::lock_guard lock(mutex_);
    return line_.empty() && fits();
}

std::int64_t TurnWindow::take() {
    const std::lock_guard lock(mutex_);
    const std::int64_t turn = given_;
    const bool at_once = line_.empty() && fits();
    if (at_once)
        begin(turn);
    else
        line_.push_back({turn});
    given_ = turn + 1;
    if (at_once) begun_ = turn + 1;
    return turn;
}

bool TurnWindow::put_in_line(std::int64_t turn, Waiter& waiter) {
    const std::lock_guard lock(mutex_);
    auto* const place = place_of(turn);
    if (place == nullptr) return false;
    place->waiter = &waiter;
    return true;
}

void TurnWindow::end(std::int64_t turn) {
    leave(turn);
    while (auto* const waiter = begin_next()) waiter->begin_turn();
}

TurnWindow::Place* TurnWindow::place_of(std::int64_t turn) {
    if (line_.empty() || turn < line_.front().turn) return nullptr;
    return &line_[static_cast<std::size_t>(turn - line_.front().turn)];
}

void TurnWindow::begin(std::int64_t turn) {
    if (under_way_++ == 0) oldest_ = turn;
    running_.set(static_cast<std::size_t>(turn) % widest);
}

void TurnWindow::leave(std::int64_t turn) {
    const std::lock_guard lock(mutex_);
    if (auto* const place = place_of(turn)) {
        *place = {turn, nullptr, true};
        return;
    }
    running_.reset(static_cast<std::size_t>(turn) % widest);
    if (--under_way_ == 0) return;
    while (!running_.test(static_cast<std::size_t>(oldest_) % widest)) ++oldest_;
}

/// Begins turns in line while there is room, up to the first whose waiter is known, and returns
/// this waiter; null if there is none.
TurnWindow::Waiter* TurnWindow::begin_next() {
    const std::lock_guard lock(mutex_);
    while (!line_.empty() && fits()) {
        const auto place = line_.front();
        line_.pop_front();
        ++begun_;
        if (place.ended) continue;
        begin(place.turn);
        if (place.waiter != nullptr) return place.waiter;
    }
    return nullptr;
}

}  // namespace carpool::base
