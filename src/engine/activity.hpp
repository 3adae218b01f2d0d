#pragma once

#include "base/mutex.hpp"
#include "engine/host_progress.hpp"
#include "engine/wait_report.hpp"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace carpool::engine {

/// Something under way that needs this process' help: it forwards blocks of others.
///
/// All activities of a process are progressed together. Otherwise a rank that waits for one
/// exchange would not forward the blocks of another on which some rank waits first.
/// The static functions are safe for concurrent use by several threads.
class Activity {
public:
    /// Who is told of an end.
    class Listener {
    public:
        /// Called within a step of progress. @param failure  null if there is none
        virtual void ended(std::exception_ptr failure) = 0;

    protected:
        ~Listener() = default;
    };

    Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    virtual ~Activity();

    /// Is what was started over? Progresses all activities once. Rethrows what went wrong with this
    /// one.
    bool test();

    /// The same without an end to it: what went wrong is kept.
    bool over();

    /// Returns when it is over.
    void wait();

    /// Progresses all activities once, for a caller that waits for something else meanwhile, unless
    /// another thread does. False, and nothing done, in a callback of MPI from within such a step.
    static bool progress();

    /// Destroys what ended outside Carpool and was left there, so that what it held may be used.
    static void clear_away();

    /// Lets what is under way go on while the user is not inside Carpool: to be called where
    /// control goes back to the user, who may then block in MPI on what other ranks do only after
    /// this one has forwarded their blocks. Costs two loads if it has been said before. False if
    /// nothing here can do that.
    static bool go_on_outside();

    /// Returns when no other thread is amid a step.
    static void let_step_end();

    /// Who waits for whom in this process: a line for each that is under way.
    static std::string who_waits();

    /// Started, and its end not yet seen by test() or wait(), whoever progressed it.
    bool active() const { return active_; }

protected:
    /// Calls begin() and takes part in progress from now on; where it stands in a line, both when
    /// its turn comes.
    void activate();

    /// The same for one in line, whose turn has come. @pre called within a step of progress
    void begin_in_line();

    /// Takes part in progress from now on, not yet started.
    void join();

    /// Takes no part in progress any more: to be called before what it uses is destroyed.
    void withdraw();

    /// Destroys one that nobody waits for, now or once it has ended, at the latest in MPI_Finalize.
    /// @param listener  told of the end, if not null, also if that has been
    static void abandon(std::unique_ptr<Activity> activity, Listener* listener = nullptr);

    /// Lets somebody be told of the end of this start, also if that has been; nobody need test or
    /// wait for it then.
    void tell(Listener* listener);

    /// An active one has ended and the user knows it.
    void deactivate() { active_ = false; }

    /// Nobody progresses anything meanwhile.
    static std::unique_lock<base::Mutex> locked() { return std::unique_lock(mutex_); }

private:
    class Turn;
    class Finale;
    using Orphans = std::vector<std::unique_ptr<Activity>>;
    using Grown = std::unique_ptr<Orphans>;  // null for none: most steps see no end of any

    virtual void begin() = 0;

    /// Must it wait until begin_in_line() is called? Asked when it is activated.
    virtual bool stands_in_line() { return false; }

    /// It takes no part in progress any more. Called within a step of progress, also again.
    virtual void left() {}

    /// One step without waiting; true at the end. May throw.
    virtual bool advance() = 0;

    /// What it is, and for whom it waits as far as is known.
    virtual Unfinished unfinished() = 0;

    /// A step has thrown: gives up what is still under way.
    virtual void break_off() noexcept = 0;

    /// Is a single message all that it waits for?
    virtual bool waits_for_one() const { return false; }

    static void advance_all();
    static Grown advance_all_inside();  // those that have ended
    static Grown grown_up();
    static HostProgress::Stepped step_outside();
    static HostProgress::Stepped stepped_idly();
    void step();
    void tell_in_turn(Listener* listener);
    void announce();
    bool awaited() const { return active_ && under_way_; }
    void enter();
    void leave();
    void link();
    void unlink();
    void grow_up();
    void collect();

    static base::Mutex mutex_;
    static Activity* first_;
    // What nobody has a handle of: under way, and ended, to be destroyed.
    static Orphans& orphans_;
    static Orphans& grown_;
    static std::int64_t ends_;              // of all steps
    static std::atomic<bool> outside_;      // somebody steps outside
    static std::atomic<int> idle_steps_;    // since something has been started
    static std::atomic<bool> left_behind_;  // orphans may have ended, and be there still
    static bool closed_;                    // MPI ends

    Activity* next_ = nullptr;
    Activity* previous_ = nullptr;
    bool active_ = false;
    std::atomic<bool> under_way_ = false;
    std::optional<std::size_t> orphan_;  // its place among these
    bool listed_ = false;                // takes part in progress: not yet while it stands in line
    Listener* listener_ = nullptr;
    WaitReport wait_report_;
    std::exception_ptr failure_;
};

}  // namespace carpool::engine
