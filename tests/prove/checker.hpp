// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace carpool::model {

/// A place in the code: the return address of the instrumentation.
using Site = const void*;

/// Which executions are explored: all in which at most so often...
struct Bounds {
    int preemptions = 2;  ///< a process has to give way, though it could go on
    int stale = 2;        ///< a value is read that is not the latest
    int kills = 0;        ///< a process ends where another one could go on
};

/// A scenario while it runs. It prepares objects, starts processes, and judges what they have done.
/// All of it is repeated in each execution.
class Run {
public:
    using Process = std::function<void()>;

    /// Runs these processes until all have ended, or have been killed, or wait for a killed one.
    void processes(std::vector<Process> all);

    /// Whether one was killed.
    bool killed() const;
};

/// In a scenario: something must hold, or the execution is a fault.
void check(bool holds, const char* what);

/// In a process: waits until something holds. It is a fault if nobody goes on.
void await(const std::function<bool()>& holds);

/// What has been found.
struct Explored {
    std::int64_t executions = 0;
    std::int64_t accesses = 0;  ///< to atomic objects, in all executions
    std::optional<std::string> fault = {};
    std::set<Site> ordered = {};  ///< accesses that acquire or release what several processes use
    std::set<Site> loads = {};    ///< loads of what several processes use
};

/// A fault that is seeded into the code.
struct Seed {
    std::set<Site> relaxed = {};   ///< these accesses acquire and release nothing
    std::set<Site> repeated = {};  ///< these loads give what the process has read before, if it has
};

using Scenario = std::function<void(Run&)>;

/// Explores all executions of a scenario within the bounds, or as far as the first fault.
/// @param progress  is told of it now and then, from 0 to 1
Explored explore(const Scenario& scenario, const Bounds& bounds, const Seed& seed = {},
                 const std::function<void(double)>& progress = nullptr);

}  // namespace carpool::model
