// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "choose/machine.hpp"
#include "collectives/algorithm.hpp"
#include "collectives/problem.hpp"
#include "ordinary/call.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace carpool::ordinary {

/// An algorithm for calls whose block sizes only the two ends of each block know. If it forwards
/// blocks, its messages have length headers.
struct UnsizedAlgorithm {
    const collectives::Algorithm* algorithm;
    collectives::Problem combined;  ///< the problem, with the longest blocks that it combines

    /// True if it forwards blocks, but for those that are too long to be combined.
    bool passes_on() const;

    std::int64_t longest() const { return combined.block(); }

    /// @pre passes_on()
    schedule::Schedule schedule(const CheckedCollective& call, int rank) const;
};

/// The unsized algorithms of a communicator, found once for each kind and root. The same on all
/// ranks. Costs choose them for the mean size of the blocks of the first call of a kind, which all
/// ranks find out together in that call.
class UnsizedAlgorithms {
public:
    /// Whether a call of this kind, which is about to be made, is the first: it is to settle the
    /// mean size. All ranks make calls in the same order, so it is the first on all of them.
    bool is_first(collectives::Kind kind);

    /// Settles the mean size of blocks.
    void settle(collectives::Kind kind, std::int64_t mean_block);
    bool has_settled(collectives::Kind kind) const;

    /// The unsized algorithm of least cost. @pre has_settled(problem.kind)
    /// @param machine  the same in each call
    const UnsizedAlgorithm& of(const collectives::Problem& problem, const choose::Machine& machine);

    /// The unsized algorithm that uses a given algorithm.
    const UnsizedAlgorithm& by(const collectives::Algorithm& algorithm,
                               const collectives::Problem& problem, const choose::Machine& machine);

private:
    /// An algorithm, or null for that of least cost; the kind; the root.
    using Key = std::tuple<const collectives::Algorithm*, collectives::Kind, int>;

    template <typename Find>
    const UnsizedAlgorithm& kept(const Key& key, Find find);

    mutable base::Mutex mutex_;  // any thread may prepare a call
    std::map<collectives::Kind, std::optional<std::int64_t>> mean_blocks_;
    std::map<Key, UnsizedAlgorithm> found_;
};

}  // namespace carpool::ordinary
