#pragma once

#include "base/mutex.hpp"
#include "choose/machine.hpp"
#include "collectives/algorithm.hpp"
#include "collectives/problem.hpp"
#include "group/call.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace carpool::group {

/// A way of a call whose blocks have sizes that only their two ends know: by an algorithm that
/// passes them on, in messages with length headers.
struct UnsizedAlgorithm {
    const collectives::Algorithm* algorithm;
    collectives::Problem riding;  ///< the problem with the longest blocks that ride

    std::int64_t longest() const { return riding.block(); }

    schedule::Schedule schedule(const CheckedCollective& call, int rank) const;
};

/// Does an algorithm pass blocks on?
bool passes_on(const collectives::Algorithm& algorithm);

/// Those of a communicator, found once for each kind and root. Alike on all ranks.
class UnsizedAlgorithms {
public:
    /// Those that are worth a measurement. @param machine  the same in each call
    const std::vector<UnsizedAlgorithm>& of(const collectives::Problem& problem,
                                            const choose::Machine& machine);

    /// The one by an algorithm. @pre passes_on(algorithm)
    const std::vector<UnsizedAlgorithm>& by(const collectives::Algorithm& algorithm,
                                            const collectives::Problem& problem,
                                            const choose::Machine& machine);

private:
    /// An algorithm, or null for those that are worth it; a kind and its root.
    using Key = std::tuple<const collectives::Algorithm*, collectives::Kind, int>;

    template <typename Find>
    const std::vector<UnsizedAlgorithm>& kept(const Key& key, Find find);

    base::Mutex mutex_;  // any thread may prepare a call
    std::map<Key, std::vector<UnsizedAlgorithm>> found_;
};

/// Would most blocks of a side of this rank's ride?
bool is_worth_trying(const UnsizedAlgorithm& unsized_algorithm, const CheckedCollective& call);

}  // namespace carpool::group
