#pragma once

#include <vector>

namespace carpool::engine {

/// Something planned that is started, and then asked again and again until it is over: a bound
/// schedule, or a protocol that finds out on its way what there is to do.
class Communication {
public:
    Communication() = default;
    Communication(const Communication&) = delete;
    Communication& operator=(const Communication&) = delete;
    virtual ~Communication() = default;

    /// @param tag  of all messages of this start
    /// @pre not under way
    virtual void start(int tag) = 0;

    /// Progresses without waiting; true once it is over.
    virtual bool advance() = 0;

    /// Gives up what is under way, since it cannot end any more: writes to no memory from now on,
    /// but may go on reading, so this must live on.
    virtual void withdraw() {}

    /// Has all come that this rank expects of that one, if it expects something?
    virtual bool has_all_of(int) const { return false; }

    /// Has shared memory told of a message from there by MPI, with that tag, for which there is no
    /// receive yet? One that is expected may come before its receive.
    virtual bool is_told_of([[maybe_unused]] int rank, [[maybe_unused]] int tag) const {
        return false;
    }

    /// From which ranks something is missing, or to which something has not left.
    virtual std::vector<int> awaited() const { return {}; }

    /// Does another rank's end depend on this one's progress after the start?
    virtual bool forwards() const { return true; }

    /// Is one message that comes here all that it waits for, and nothing leaves?
    virtual bool only_receives() const { return false; }
};

}  // namespace carpool::engine
