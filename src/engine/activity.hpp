// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "engine/host_progress.hpp"
#include "engine/wait_report.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace carpool::engine {

/// An operation under way that needs progress of this process, since it forwards blocks of other
/// ranks.
///
/// All activities of a process are progressed together. Otherwise a rank that waits for one
/// exchange would not forward the blocks of another for which some rank waits first. Several
/// threads may call the static functions at the same time.
class Activity {
public:
    /// An observer that is notified of an activity's end.
    class Listener {
    public:
        /// Called within a step of progress. @param failure  null if there is none
        virtual void ended(std::exception_ptr failure) = 0;

    protected:
        ~Listener() = default;
    };

    /// Activities that have begun, of which each can end only after those before it. Only the first
    /// takes part in progress, since each step visits all that do.
    class Chain {
    public:
        /// Returns whether the activity is the first.
        bool append(Activity& last);

        /// Does nothing if it is not in the chain. The activity behind it may become the first.
        void remove(Activity& one);

    private:
        std::deque<Activity*> activities_;
    };

    Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    virtual ~Activity();

    /// Progresses all activities once; returns whether this one has ended. Rethrows its error.
    bool test();

    /// The same, but the activity stays active, and its error is kept for test() or wait().
    bool over();

    /// Returns when it has ended. Rethrows its error.
    void wait();

    /// Progresses all activities once, unless another thread is doing so, for a caller that waits
    /// for something else. Returns false and does nothing if it is called in a callback of MPI from
    /// within such a step.
    static bool progress();

    /// Destroys abandoned activities that ended while the user was outside Carpool, so that the
    /// resources that they held can be used again.
    static void clear_away();

    /// Lets activities progress while the user is outside Carpool. Must be called where control
    /// goes back to the user, who may then block in MPI on something that other ranks do only after
    /// this rank has forwarded their blocks. Costs two loads if it has been called before. Returns
    /// false if nothing on this system can progress them.
    static bool go_on_outside();

    /// Waits until no other thread is in a step.
    static void let_step_end();

    /// A text with one line for each activity that takes part in progress: the ranks for which it
    /// waits.
    static std::string who_waits();

    /// True from a start until test() or wait() has reported its end, whichever thread progressed
    /// it.
    bool active() const { return active_; }

protected:
    /// Calls begin() and takes part in progress from now on. If it stands in line, both happen when
    /// begin_in_line() is called.
    void activate();

    /// Calls begin(), and takes part in progress once all before it in a chain have ended. left()
    /// must remove it from the chain.
    void activate_in(Chain& chain);

    /// The same as activate() for an activity that has stood in line. @pre called within a
    /// step of progress
    void begin_in_line();

    /// Takes part in progress from now on, although it is not started.
    void join();

    /// Takes no part in progress any more. Must be called before what it uses is destroyed.
    void withdraw();

    /// Destroys an activity that nobody waits for, now or once it has ended, at the latest in
    /// MPI_Finalize.
    /// @param listener  notified of the end, if not null, even if it has ended already
    static void abandon(std::unique_ptr<Activity> activity, Listener* listener = nullptr);

    /// Notifies a listener of the end of this start, even if it has ended already. test() and
    /// wait() need not be called then.
    void tell(Listener* listener);

    /// Must be called when an active activity has ended and the user knows it.
    void deactivate() { active_ = false; }

    /// A lock under which no thread progresses anything.
    static std::unique_lock<base::Mutex> locked() { return std::unique_lock(mutex_); }

private:
    class ProgressLock;
    class Finale;
    using Orphans = std::vector<std::unique_ptr<Activity>>;
    using EndedOrphans = std::unique_ptr<Orphans>;  // null if empty: most steps see no activity end

    virtual void begin() = 0;

    /// Whether it must wait until begin_in_line() is called. Called when it is activated.
    virtual bool stands_in_line() { return false; }

    /// Called within a step of progress when it no longer takes part in progress, perhaps
    /// repeatedly.
    virtual void left() {}

    /// Takes one step without waiting; returns true at the end. May throw.
    virtual bool advance() = 0;

    /// What it is, and which ranks it waits for, as far as is known.
    virtual UnfinishedCall unfinished() = 0;

    /// Called when a step has thrown: gives up what is still under way.
    virtual void break_off() noexcept = 0;

    /// Whether a single message is all that it waits for.
    virtual bool waits_for_one() const { return false; }

    static void advance_all();
    static EndedOrphans advance_all_inside();  // returns abandoned ones that have ended
    static EndedOrphans take_ended_orphans();
    static HostProgress::StepOutcome step_outside();
    static HostProgress::StepOutcome stepped_idly();
    void step();
    void tell_locked(Listener* listener);
    void announce();
    bool awaited() const { return active_ && under_way_; }
    void enter();
    void leave();
    void link();
    void unlink();
    void retire();
    void collect();

    static base::Mutex mutex_;
    static Activity* first_;
    // Abandoned activities: under way, and ended but not destroyed yet.
    static Orphans& orphans_;
    static Orphans& ended_orphans_;
    static std::int64_t ends_;              // how many activities have ended
    static std::atomic<bool> outside_;      // step_outside() is registered
    static std::atomic<int> idle_steps_;    // idle steps since the last start
    static std::atomic<bool> left_behind_;  // ended orphans may not be destroyed yet
    static std::atomic<bool> closed_;       // MPI ends

    Activity* next_ = nullptr;
    Activity* previous_ = nullptr;
    bool active_ = false;
    std::atomic<bool> under_way_ = false;
    std::optional<std::size_t> orphan_;  // its index in orphans_
    bool listed_ = false;                // takes part in progress; not yet while it stands in line
    Listener* listener_ = nullptr;
    WaitReport wait_report_;
    std::exception_ptr failure_;
};

}  // namespace carpool::engine
