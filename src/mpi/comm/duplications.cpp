// SPDX-License-Identifier: MIT
#include "mpi/comm/duplications.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace carpool::mpi {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr Clock::duration longest_wait = 20ms;

/// A process that is stopped between two tests has waited no longer than this.
constexpr Clock::duration longest_turn = 1ms;

}  // namespace

Duplications& Duplications::of_this_process() {
    static auto& one = *new Duplications;  // never destroyed: a thread may be here at the exit
    return one;
}

void Duplications::wait(Duplication& duplication) {
    for (auto before = Clock::now(); duplication.time_left > 0ms && !duplication.is_over();) {
        std::this_thread::yield();
        const auto now = Clock::now();
        duplication.time_left -= std::min(now - std::exchange(before, now), longest_turn);
    }
}

void Duplications::add(std::function<bool()> is_over) {
    const std::lock_guard lock(mutex_);
    for (auto& earlier : under_way_) wait(earlier);
    std::erase_if(under_way_, [](const Duplication& one) { return one.is_over(); });
    // If some were waited for in vain, a rank is late, and further ones need not wait as long.
    const auto left = static_cast<int>(under_way_.size());
    under_way_.push_back({std::move(is_over), longest_wait / (left + 1)});
}

}  // namespace carpool::mpi
