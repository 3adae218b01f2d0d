#include "engine/activity.hpp"

#include "mpi/error.hpp"

#include <mpi.h>

#include <utility>

namespace carpool::engine {
namespace {

bool several_threads() {
    static const bool several = [] {
        int level = MPI_THREAD_SINGLE;
        mpi::check(MPI_Query_thread(&level), "MPI_Query_thread");
        return level == MPI_THREAD_MULTIPLE;
    }();
    return several;
}

}  // namespace

std::mutex Activity::mutex_;
Activity* Activity::first_ = nullptr;

Activity::~Activity() {
    const std::lock_guard lock(mutex_);
    leave();
}

void Activity::activate() {
    const std::lock_guard lock(mutex_);
    begin();
    active_ = true;
    under_way_ = true;
    next_ = first_;
    previous_ = nullptr;
    if (first_ != nullptr) first_->previous_ = this;
    first_ = this;
}

void Activity::leave() {
    if (!under_way_) return;
    under_way_ = false;
    (previous_ != nullptr ? previous_->next_ : first_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
}

/// A failure belongs to the activity, whoever has progressed it.
void Activity::step(bool (Activity::*how)()) {
    try {
        if ((this->*how)()) leave();
    } catch (...) {
        failure_ = std::current_exception();
        leave();
    }
}

void Activity::advance_all() {
    for (Activity* activity = first_; activity != nullptr;) {
        Activity* const next = activity->next_;
        activity->step(&Activity::advance);
        activity = next;
    }
}

/// Another thread could not progress its own exchange while this one holds the lock inside MPI.
bool Activity::may_block() {
    return first_ != nullptr && first_->next_ == nullptr && !several_threads();
}

void Activity::progress() {
    const std::lock_guard lock(mutex_);
    advance_all();
}

bool Activity::test() {
    {
        const std::lock_guard lock(mutex_);
        if (under_way_) advance_all();
        if (under_way_) return false;
    }
    collect();
    return true;
}

void Activity::wait() {
    while (true) {
        const std::lock_guard lock(mutex_);
        if (!under_way_) break;
        if (may_block())
            step(&Activity::finished);
        else
            advance_all();
    }
    collect();
}

void Activity::collect() {
    active_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace carpool::engine
