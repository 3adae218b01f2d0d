// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/algorithm.hpp"
#include "collectives/expected.hpp"
#include "learnt_sizes.hpp"
#include "random_source.hpp"
#include "schedule/resized.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// A collective planned on all its ranks.
namespace collective_ranks {

using carpool::collectives::Algorithm;
using carpool::collectives::Kind;
using carpool::collectives::Problem;

inline bool has_block_per_rank(Kind kind) {
    return kind == Kind::gather || kind == Kind::scatter || kind == Kind::allgather ||
           kind == Kind::reduce_scatter;
}

/// A problem with blocks of `bytes` and elements of 8 bytes.
inline Problem equal_blocks(Kind kind, int ranks, std::int64_t bytes) {
    Problem problem{kind, ranks, 0, {}};
    if (kind != Kind::barrier) problem.bytes = {bytes};
    problem.unit = 8;
    return problem;
}

/// One problem for each rank, since ranks send and receive different sizes.
inline std::vector<Problem> varying_alltoall(RandomSource& random, int ranks, int most = 100) {
    std::vector<Problem> problems;
    const auto n = static_cast<std::size_t>(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        problems.push_back({Kind::alltoall, ranks, 0, {}});
        problems.back().received.resize(n);
    }
    for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to) {
            const std::int64_t bytes = random.one_in(3) ? 0 : random.between(1, most);
            problems[from].sent.push_back(bytes);
            problems[to].received[from] = bytes;
        }
    return problems;
}

inline std::vector<carpool::schedule::Schedule> schedules(const Algorithm& algorithm,
                                                          const std::vector<Problem>& problems) {
    std::vector<carpool::schedule::Schedule> all;
    for (int rank = 0; rank < problems.front().ranks; ++rank)
        all.push_back(carpool::collectives::schedule_of(
            algorithm, problems[problems.size() > 1 ? static_cast<std::size_t>(rank) : 0], rank));
    return all;
}

/// The sizes of a rank's slots before any message.
inline carpool::schedule::SlotBytes own_sizes(const Problem& problem,
                                              const carpool::schedule::Schedule& schedule) {
    return {problem.sent, problem.received,
            std::vector<std::int64_t>(static_cast<std::size_t>(schedule.temp_slots))};
}

/// The edges of a rank to all ranks: slot i of both sides belongs to rank i.
inline carpool::topology::Adjacency edges_of_all(int ranks) {
    std::vector<carpool::topology::Edge> edges;
    for (int rank = 0; rank < ranks; ++rank) edges.push_back({rank, 0});
    return {edges, edges};
}

/// Schedules of all ranks for blocks of different sizes, by an algorithm that forwards. Blocks
/// longer than `longest` are sent directly.
inline std::vector<carpool::schedule::Schedule> learnt_schedules(
    const Algorithm& algorithm, const std::vector<Problem>& problems,
    std::int64_t longest = std::numeric_limits<std::int64_t>::max()) {
    auto all = schedules(algorithm, {problems.front().with_equal_blocks(8)});
    std::vector<carpool::schedule::SlotBytes> own;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        own.push_back(own_sizes(problems[rank], all[rank]));
    const carpool::topology::Graph edges(all.size(), edges_of_all(static_cast<int>(all.size())));
    return with_learnt_sizes(std::move(all), edges, std::move(own), longest);
}

inline std::int64_t messages(const std::vector<carpool::schedule::Schedule>& schedules) {
    std::int64_t sum = 0;
    for (const auto& schedule : schedules) sum += carpool::schedule::messages_sent(schedule);
    return sum;
}

inline std::vector<std::string> complaints(
    const Algorithm& algorithm, const std::vector<Problem>& problems,
    const std::vector<carpool::schedule::Schedule>& schedules) {
    using namespace carpool::collectives;
    return carpool::schedule::verify(schedules,
                                     expected(problems, algorithm.pieces(problems.front())),
                                     order_of(problems.front()));
}

inline std::string described(const Algorithm& algorithm, const Problem& problem) {
    return std::string(name_of(algorithm.kind)) + " by " + std::string(algorithm.name) + " on " +
           std::to_string(problem.ranks) + " ranks, root " + std::to_string(problem.root) +
           ", blocks of " + std::to_string(problem.block()) + " B, commutes " +
           std::to_string(problem.commutes);
}

}  // namespace collective_ranks
