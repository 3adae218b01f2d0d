// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"

namespace carpool::engine {

/// A planned operation that is started and then polled until it has ended: a bound schedule, or a
/// protocol that finds out what to do as it runs.
class Communication {
public:
    Communication() = default;
    Communication(const Communication&) = delete;
    Communication& operator=(const Communication&) = delete;
    virtual ~Communication() = default;

    /// @param tag  the tag of all messages of this start
    /// @pre not under way
    virtual void start(int tag) = 0;

    /// Makes progress without waiting; returns true once it has ended.
    virtual bool advance() = 0;

    /// Whether a message of a start is still under way although advance() has thrown.
    virtual bool under_way() const { return false; }

    /// Gives up a start that cannot end any more. Nothing is written to memory from now on, but
    /// memory may still be read, so this object must live on.
    virtual void withdraw() {}

    /// Visits the ranks from which something is missing or, if there are none, the ranks to which
    /// something has not left; some perhaps repeatedly. Allocates nothing.
    virtual void visit_awaited(const base::RankVisitor& visit) const { static_cast<void>(visit); }

    /// Whether another rank's end depends on this rank's progress after the start.
    virtual bool forwards() const { return true; }

    /// Whether it waits for a single incoming message and sends nothing.
    virtual bool only_receives() const { return false; }
};

}  // namespace carpool::engine
