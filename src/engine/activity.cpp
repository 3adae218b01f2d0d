// SPDX-License-Identifier: MIT
#include "engine/activity.hpp"

#include "engine/call_scope.hpp"
#include "engine/host_errors.hpp"
#include "engine/host_progress.hpp"
#include "engine/spin_then_yield.hpp"
#include "mpi/until_end.hpp"
#include "mpi/use.hpp"

#include <mpi.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace carpool::engine {
base::Mutex Activity::mutex_;
Activity* Activity::first_ = nullptr;
// never destroyed: a process may end without MPI_Finalize
Activity::Orphans& Activity::orphans_ = *new Orphans;
Activity::Orphans& Activity::ended_orphans_ = *new Orphans;
std::int64_t Activity::ends_ = 0;
std::atomic<bool> Activity::outside_ = false;
std::atomic<int> Activity::idle_steps_ = 0;
std::atomic<bool> Activity::left_behind_ = false;
std::atomic<bool> Activity::closed_ = false;

/// The lock under which a thread progresses activities: one thread at a time has it.
class Activity::ProgressLock {
public:
    ProgressLock() : ProgressLock(locked()) {}
    explicit ProgressLock(std::unique_lock<base::Mutex> lock) : lock_(std::move(lock)) {
        mine_ = true;
    }
    ProgressLock(const ProgressLock&) = delete;
    ProgressLock& operator=(const ProgressLock&) = delete;
    ~ProgressLock() { mine_ = false; }

    static bool is_mine() { return mine_; }

private:
    static inline thread_local bool mine_ = false;
    std::unique_lock<base::Mutex> lock_;
};

/// MPI_Finalize first deletes the attributes of MPI_COMM_SELF. That is where this waits for all
/// abandoned activities, for which other ranks may wait. A process that exits waits for nothing: it
/// may do so because of an error.
class Activity::Finale {
public:
    static void announce() {
        static std::atomic<int> announced = 0;
        if (announced == mpi::Use::number()) return;
        static_cast<void>(mpi::until_end<Finale>());
        announced = mpi::Use::number();
    }

    Finale() {
        closed_ = false;
        outside_ = false;
    }

    void on_free() {
        mpi::Use::end();
        if (mpi::Use::by_sessions())
            closed_ = true;
        else
            for (SpinThenYield spin; left(); spin.wait()) progress();
        HostProgress::finish();
    }

private:
    /// Whether any activity is left. If none is, nothing is stepped outside Carpool any more
    /// either.
    static bool left() {
        const std::lock_guard lock(mutex_);
        if (!orphans_.empty() || !ended_orphans_.empty()) return true;
        for (const auto* activity = first_; activity != nullptr; activity = activity->next_)
            if (!activity->active_) return true;
        closed_ = true;
        return false;
    }
};

bool Activity::Chain::append(Activity& last) {
    activities_.push_back(&last);
    return activities_.size() == 1;
}

void Activity::Chain::remove(Activity& one) {
    const auto place = std::ranges::find(activities_, &one);
    if (place == activities_.end()) return;
    activities_.erase(place);
    if (!activities_.empty()) activities_.front()->link();
}

Activity::Activity() { Finale::announce(); }

Activity::~Activity() { withdraw(); }

void Activity::withdraw() {
    const ProgressLock progress_lock;
    leave();
    left();
}

void Activity::activate() {
    const ProgressLock progress_lock;
    wait_report_.begin();
    const bool in_line = stands_in_line();
    if (!in_line) begin();
    active_ = true;
    under_way_ = true;
    if (!in_line) link();
}

void Activity::activate_in(Chain& chain) {
    const ProgressLock progress_lock;
    wait_report_.begin();
    begin();
    active_ = true;
    under_way_ = true;
    if (chain.append(*this)) link();
}

/// An error is kept for the next step.
void Activity::begin_in_line() {
    try {
        begin();
    } catch (...) {
        failure_ = std::current_exception();
        break_off();
    }
    link();
}

void Activity::join() {
    const std::lock_guard lock(mutex_);
    enter();
}

void Activity::abandon(std::unique_ptr<Activity> activity, Listener* listener) {
    const ProgressLock progress_lock;
    activity->tell_locked(listener);
    if (!activity->under_way_) return;
    orphans_.push_back(std::move(activity));
    orphans_.back()->orphan_ = orphans_.size() - 1;
}

void Activity::tell(Listener* listener) {
    const ProgressLock progress_lock;
    tell_locked(listener);
}

void Activity::tell_locked(Listener* listener) {
    listener_ = listener;
    if (!under_way_) announce();
}

void Activity::announce() {
    if (auto* const listener = std::exchange(listener_, nullptr))
        listener->ended(std::exchange(failure_, nullptr));
}

Activity::EndedOrphans Activity::take_ended_orphans() {
    if (ended_orphans_.empty()) return nullptr;
    return std::make_unique<Orphans>(std::exchange(ended_orphans_, {}));
}

/// Takes constant time, since there may be very many others.
void Activity::retire() {
    if (!orphan_) return;
    auto& place = orphans_[*orphan_];
    ended_orphans_.push_back(std::move(place));
    if (*orphan_ + 1 < orphans_.size()) {
        place = std::move(orphans_.back());
        place->orphan_ = orphan_;
    }
    orphans_.pop_back();
    orphan_.reset();
}

void Activity::enter() {
    under_way_ = true;
    link();
}

void Activity::leave() {
    if (!under_way_) return;
    under_way_ = false;
    ++ends_;
    WaitReport::note_end();
    unlink();
    retire();
}

void Activity::link() {
    if (listed_) return;
    listed_ = true;
    next_ = first_;
    previous_ = nullptr;
    if (first_ != nullptr) first_->previous_ = this;
    first_ = this;
}

void Activity::unlink() {
    if (!listed_) return;
    listed_ = false;
    (previous_ != nullptr ? previous_->next_ : first_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
}

/// A failure belongs to the activity, whichever thread has progressed it.
void Activity::step() {
    try {
        if (!failure_ && !advance()) {
            if (active_ && wait_report_.is_over()) wait_report_.look(unfinished());
            return;
        }
    } catch (...) {
        failure_ = std::current_exception();
        break_off();
    }
    leave();
    left();
    announce();
}

void Activity::advance_all() {
    for (Activity* activity = first_; activity != nullptr;) {
        Activity* const next = activity->next_;
        activity->step();
        activity = next;
    }
}

Activity::EndedOrphans Activity::advance_all_inside() {
    advance_all();
    return take_ended_orphans();
}

// Abandoned activities are destroyed outside the lock, since a destructor takes it.

void Activity::clear_away() {
    if (!left_behind_.load(std::memory_order_relaxed)) return;
    EndedOrphans grown;
    const ProgressLock progress_lock;
    left_behind_ = false;
    grown = take_ended_orphans();
}

bool Activity::progress() {
    if (ProgressLock::is_mine()) return false;
    EndedOrphans grown;
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return true;
    const ProgressLock progress_lock(std::move(lock));
    grown = advance_all_inside();
    return true;
}

bool Activity::go_on_outside() {
    idle_steps_.store(0, std::memory_order_relaxed);
    if (outside_) return true;
    const auto lock = locked();
    if (!outside_ && !closed_) outside_ = HostProgress::begin(step_outside);
    return outside_;
}

/// The step that the host, or a thread of Carpool, calls. A thread that is inside Carpool already
/// progresses activities itself. This waits for no lock: the host may hold a lock of its own for
/// which the thread inside waits. So if there are several threads, abandoned activities that have
/// ended are left to the next call of Carpool, since a destructor waits for the lock.
HostProgress::StepOutcome Activity::step_outside() {
    using StepOutcome = HostProgress::StepOutcome;
    HostErrors::restore();
    if (ProgressLock::is_mine() || CallScope::is_open()) return StepOutcome::waits;
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return StepOutcome::waits;
    if (first_ == nullptr || closed_) return stepped_idly();
    EndedOrphans grown;
    const ProgressLock progress_lock(std::move(lock));
    const auto before = ends_;
    advance_all();
    if (base::Mutex::expects_one_thread())
        grown = take_ended_orphans();
    else if (ends_ != before)
        left_behind_ = true;
    return ends_ != before ? StepOutcome::some_ended : StepOutcome::waits;
}

/// Stays registered for some idle steps, since to register again takes longer, and often something
/// else is started soon.
HostProgress::StepOutcome Activity::stepped_idly() {
    using StepOutcome = HostProgress::StepOutcome;
    constexpr int steps_before_rest = 200;
    const int steps = idle_steps_.load(std::memory_order_relaxed) + 1;
    idle_steps_.store(steps, std::memory_order_relaxed);
    const bool soon = steps < steps_before_rest;
    if (soon && !closed_) return StepOutcome::waits;
    return outside_.exchange(false) ? StepOutcome::none_left : StepOutcome::waits;
}

void Activity::let_step_end() { const auto lock = locked(); }

std::string Activity::who_waits() {
    std::string text;
    for (auto* activity = first_; activity != nullptr; activity = activity->next_)
        text += text_of(activity->unfinished()) + "\n";
    return text;
}

bool Activity::over() {
    if (under_way_) progress();
    if (awaited()) return false;
    let_step_end();  // the step that ended it may be another thread's
    return true;
}

bool Activity::test() {
    if (!over()) return false;
    collect();
    return true;
}

void Activity::wait() {
    SpinThenYield spin;
    while (awaited()) {
        bool for_one = false;
        EndedOrphans grown;
        if (std::unique_lock lock(mutex_, std::try_to_lock); lock.owns_lock()) {
            const ProgressLock progress_lock(std::move(lock));
            if (awaited()) grown = advance_all_inside();
            for_one = awaited() && waits_for_one();
        }
        if (awaited()) spin.wait(for_one);
    }
    let_step_end();
    collect();
}

void Activity::collect() {
    active_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace carpool::engine
