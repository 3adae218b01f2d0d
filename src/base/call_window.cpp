// SPDX-License-Identifier: MIT
#include "base/call_window.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::base {

/// The window is a quarter of the tags, because a rank that has ended a call may be ahead of one
/// that has not.
CallWindow::CallWindow(std::int64_t calls_before_reuse)
    : width_(std::min<std::int64_t>(widest, calls_before_reuse / 4)) {}

bool CallWindow::has_room() const {
    const std::lock_guard lock(mutex_);
    return line_.empty() && fits();
}

std::int64_t CallWindow::take() {
    const std::lock_guard lock(mutex_);
    const std::int64_t number = numbered_;
    const bool at_once = line_.empty() && fits();
    if (at_once)
        begin(number);
    else
        line_.push_back({number});
    numbered_ = number + 1;
    if (at_once) begun_ = number + 1;
    return number;
}

bool CallWindow::put_in_line(std::int64_t number, Waiter& waiter) {
    const std::lock_guard lock(mutex_);
    auto* const place = place_of(number);
    if (place == nullptr) return false;
    place->waiter = &waiter;
    return true;
}

void CallWindow::end(std::int64_t number) {
    leave(number);
    while (auto* const waiter = begin_next()) waiter->begin_call();
}

CallWindow::Place* CallWindow::place_of(std::int64_t number) {
    if (line_.empty() || number < line_.front().number) return nullptr;
    return &line_[static_cast<std::size_t>(number - line_.front().number)];
}

void CallWindow::begin(std::int64_t number) {
    if (under_way_++ == 0) oldest_ = number;
    running_.set(static_cast<std::size_t>(number) % widest);
}

void CallWindow::leave(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    if (auto* const place = place_of(number)) {
        *place = {number, nullptr, true};
        return;
    }
    running_.reset(static_cast<std::size_t>(number) % widest);
    if (--under_way_ == 0) return;
    while (!running_.test(static_cast<std::size_t>(oldest_) % widest)) ++oldest_;
}

/// Begins calls in line while there is room, up to the first whose waiter is known, and returns
/// this waiter; null if there is none.
CallWindow::Waiter* CallWindow::begin_next() {
    const std::lock_guard lock(mutex_);
    while (!line_.empty() && fits()) {
        const auto place = line_.front();
        line_.pop_front();
        ++begun_;
        if (place.ended) continue;
        begin(place.number);
        if (place.waiter != nullptr) return place.waiter;
    }
    return nullptr;
}

}  // namespace carpool::base
