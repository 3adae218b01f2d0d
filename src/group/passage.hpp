#pragma once

#include "base/mutex.hpp"
#include "choose/machine.hpp"
#include "collectives/algorithm.hpp"
#include "collectives/problem.hpp"
#include "group/call.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace carpool::group {

/// A way of a call whose blocks have sizes that only their two ends know: by an algorithm that
/// passes them on, in messages with waybills.
struct Passage {
    const collectives::Algorithm* algorithm;
    collectives::Problem riding;  ///< the problem with the longest blocks that ride

    std::int64_t longest() const { return riding.block(); }

    schedule::Schedule schedule(const Call& call, int rank) const;
};

/// Those of a communicator that are worth a trial, found once for each kind and root. Alike on all
/// ranks.
class Passages {
public:
    /// @param machine  the same in each call
    const std::vector<Passage>& of(const collectives::Problem& problem,
                                   const choose::Machine& machine);

private:
    base::Mutex mutex_;  // any thread may prepare a call
    std::map<std::pair<collectives::Kind, int>, std::vector<Passage>> found_;
};

/// Would most blocks of a side of this rank's ride?
bool is_worth_trying(const Passage& passage, const Call& call);

}  // namespace carpool::group
