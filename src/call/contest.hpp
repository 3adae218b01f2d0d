#pragma once

#include "call/call_trial.hpp"
#include "call/context.hpp"
#include "call/family.hpp"
#include "call/sites.hpp"
#include "choose/cheapest.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::call {

/// The name of an algorithm with its messages' way, to be seen and remembered by.
std::string named_with_way(std::string algorithm, bool other_way);

/// Which candidates are worth a schedule, and where to remember what comes of it.
struct Contest {
    std::vector<choose::Chosen> candidates = {};
    Sites::Key site = {};
    bool at_work = false;      ///< the request itself finds out which is the fastest
    bool host = false;         ///< MPI's own collective is one of them, the last
    std::string problem = {};  ///< by which what is found at work is remembered
    int size_class = 0;  ///< bits of the bytes of the first candidate, where a report is wanted

    /// Taken without a trial, or before the first one: an earlier run has found it, or the user
    /// has. The host's number is that after the last candidate's.
    std::optional<std::size_t> known = {};

    std::shared_ptr<CallTrial> trial = {};  ///< of calls that end once: says which they go by
};

/// The cheapest candidate, the one that was fastest at this site or in an earlier run, or all that
/// are to be measured: now, unless ranks go on meanwhile, since the user's own work would be
/// measured too; or at work. @param host_may  whether MPI's own collective may stand for them
Contest contest(Family& family, const CallContext& context, bool host_may);

}  // namespace carpool::call
