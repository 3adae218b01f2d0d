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

    /// Is some message of a start still under way, though advance() has thrown?
    virtual bool under_way() const { return false; }

    /// Gives up what is under way, since it cannot end any more: writes to no memory from now on,
    /// but may go on reading, so this must live on.
    virtual void withdraw() {}

    /// From which ranks something is missing or, if from none, to which something has not left.
    virtual std::vector<int> awaited() const { return {}; }

    /// Does another rank's end depend on this one's progress after the start?
    virtual bool forwards() const { return true; }

    /// Is one message that comes here all that it waits for, and nothing leaves?
    virtual bool only_receives() const { return false; }
};

}  // namespace carpool::engine
