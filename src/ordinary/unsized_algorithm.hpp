#pragma once

#include "base/mutex.hpp"
#include "choose/machine.hpp"
#include "collectives/algorithm.hpp"
#include "collectives/problem.hpp"
#include "ordinary/call.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace carpool::ordinary {

/// An algorithm for calls whose block sizes only the two ends of each block know. It forwards
/// blocks in messages with length headers.
struct UnsizedAlgorithm {
    const collectives::Algorithm* algorithm;
    collectives::Problem riding;  ///< the problem, with the longest blocks that it combines

    std::int64_t longest() const { return riding.block(); }

    schedule::Schedule schedule(const CheckedCollective& call, int rank) const;
};

/// True if an algorithm forwards blocks.
bool passes_on(const collectives::Algorithm& algorithm);

/// The unsized algorithms of a communicator, found once for each kind and root. The same on all
/// ranks.
class UnsizedAlgorithms {
public:
    /// The unsized algorithms that are worth a measurement, the cheapest first.
    /// @param machine  the same in each call
    const std::vector<UnsizedAlgorithm>& of(const collectives::Problem& problem,
                                            const choose::Machine& machine);

    /// The unsized algorithm that uses a given algorithm. @pre passes_on(algorithm)
    const std::vector<UnsizedAlgorithm>& by(const collectives::Algorithm& algorithm,
                                            const collectives::Problem& problem,
                                            const choose::Machine& machine);

private:
    /// An algorithm, or null for those worth a measurement; the kind; the root.
    using Key = std::tuple<const collectives::Algorithm*, collectives::Kind, int>;

    template <typename Find>
    const std::vector<UnsizedAlgorithm>& kept(const Key& key, Find find);

    base::Mutex mutex_;  // any thread may prepare a call
    std::map<Key, std::vector<UnsizedAlgorithm>> found_;
};

/// True if most blocks that this rank sends, or most that it receives, are short enough to be
/// combined.
bool is_worth_trying(const UnsizedAlgorithm& unsized_algorithm, const CheckedCollective& call);

}  // namespace carpool::ordinary
