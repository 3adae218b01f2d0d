#pragma once

#include "collectives/algorithm.hpp"
#include "collectives/expected.hpp"
#include "random_source.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
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

/// Blocks of `bytes`, elements of 8 bytes.
inline Problem equal_blocks(Kind kind, int ranks, std::int64_t bytes) {
    Problem problem{kind, ranks, 0, {}};
    if (kind != Kind::barrier) problem.bytes = {bytes};
    problem.unit = 8;
    return problem;
}

/// One problem for each rank: they differ in what they send and receive.
inline std::vector<Problem> varying_alltoall(RandomSource& random, int ranks) {
    std::vector<Problem> problems;
    const auto n = static_cast<std::size_t>(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        problems.push_back({Kind::alltoall, ranks, 0, {}});
        problems.back().received.resize(n);
    }
    for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to) {
            const std::int64_t bytes = random.one_in(3) ? 0 : random.between(1, 100);
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

/// @return whether the schedules of all ranks are correct
inline bool check(const Algorithm& algorithm, const std::vector<Problem>& problems) {
    const auto all = schedules(algorithm, problems);
    const auto found = complaints(algorithm, problems, all);
    BOOST_TEST(found.empty(), described(algorithm, problems.front())
                                  << ": " << (found.empty() ? "" : found.front()) << " (of "
                                  << found.size() << " complaints)");
    return found.empty();
}

}  // namespace collective_ranks
