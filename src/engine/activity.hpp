#pragma once

#include <exception>
#include <mutex>

namespace carpool::engine {

/// Something under way that needs this process' help: it forwards blocks of others.
///
/// All activities of a process are progressed together. Otherwise a rank that waits for one
/// exchange would not forward the blocks of another on which some rank waits first.
/// The static functions are safe for concurrent use by several threads.
class Activity {
public:
    Activity() = default;
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;
    virtual ~Activity();

    /// Is it over? Progresses all activities once. Rethrows what went wrong with this one.
    bool test();

    /// Returns when it is over. Waits inside MPI where nothing else is under way.
    void wait();

    /// Progresses all activities once, for a caller that waits for something else meanwhile.
    static void progress();

    /// Started, and its end not yet seen by test() or wait(), whoever progressed it.
    bool active() const { return active_; }

protected:
    /// Calls begin() and takes part in progress from now on.
    void activate();

private:
    virtual void begin() = 0;

    /// One step without waiting; true at the end. May throw.
    virtual bool advance() = 0;

    /// As advance, but waits inside MPI.
    virtual void finish() = 0;

    static void advance_all();
    static bool may_block();
    void step(bool (Activity::*)());
    bool finished() { return finish(), true; }
    void leave();
    void collect();

    static std::mutex mutex_;
    static Activity* first_;

    Activity* next_ = nullptr;
    Activity* previous_ = nullptr;
    bool active_ = false;
    bool under_way_ = false;  // in the list
    std::exception_ptr failure_;
};

}  // namespace carpool::engine
