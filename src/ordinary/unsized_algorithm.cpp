// SPDX-License-Identifier: MIT
#include "ordinary/unsized_algorithm.hpp"

#include "choose/cheapest.hpp"
#include "choose/load.hpp"
#include "collectives/choice.hpp"
#include "schedule/length_headers.hpp"
#include "schedule/resized.hpp"
#include "topology/graph.hpp"

#include <mutex>
#include <utility>

namespace carpool::ordinary {
namespace {

using collectives::Algorithm;
using collectives::Kind;
using collectives::Problem;

const Algorithm& straight(Kind kind) { return collectives::algorithms(kind).front(); }

/// The edges of a rank: slot i of a side with one block per rank belongs to rank i.
topology::Adjacency edges_of(const Problem& problem, int rank) {
    std::vector<topology::Edge> all;
    for (int peer = 0; peer < problem.ranks; ++peer) all.push_back({peer, 0});
    if (problem.kind == Kind::alltoall) return {all, all};
    const std::vector<topology::Edge> root{{problem.root, 0}};
    auto many = rank == problem.root ? std::move(all) : std::vector<topology::Edge>{};
    return problem.kind == Kind::gather ? topology::Adjacency{root, std::move(many)}
                                        : topology::Adjacency{std::move(many), root};
}

std::vector<std::int64_t> sizes_of(const std::vector<mpi::Block>& blocks) {
    std::vector<std::int64_t> sizes;
    for (const auto& block : blocks) sizes.push_back(block.shape.bytes());
    return sizes;
}

schedule::SlotBytes sizes_of(const CheckedCollective& call) {
    return {sizes_of(call.blocks.send), sizes_of(call.blocks.recv), {}};
}

bool passes_on(const Algorithm& algorithm) {
    return algorithm.kind == Kind::alltoall ? algorithm.forwards
                                            : &algorithm != &straight(algorithm.kind);
}

/// The algorithm of least cost if all blocks have the mean size.
const Algorithm& cheapest(const Problem& problem, std::int64_t mean_block,
                          const choose::Machine& machine) {
    constexpr std::int64_t header_bytes = sizeof(schedule::LengthHeaderEntry);
    const auto straight_blocks = problem.with_equal_blocks(mean_block);
    const auto combined = problem.with_equal_blocks(mean_block + header_bytes);
    const auto algorithms = collectives::applicable(straight_blocks);
    std::vector<choose::Candidate> candidates;
    for (const auto* algorithm : algorithms)
        candidates.push_back(collectives::candidate(
            *algorithm, passes_on(*algorithm) ? combined : straight_blocks, machine));
    return *algorithms[choose::cheapest(machine, candidates).number];
}

/// How many blocks an algorithm moves does not depend on their size.
UnsizedAlgorithm unsized_algorithm_by(const Algorithm& algorithm, const Problem& problem,
                                      const choose::Machine& machine) {
    constexpr std::int64_t any_size = 64;
    const auto equal = problem.with_equal_blocks(any_size);
    const auto blocks = collectives::load_of(algorithm, equal, machine).blocks();
    const auto straight_blocks =
        collectives::load_of(straight(problem.kind), equal, machine).blocks();
    const auto longest =
        choose::longest_riding(machine.cost(machine.widest()), blocks, straight_blocks);
    return {&algorithm, problem.with_equal_blocks(longest)};
}

}  // namespace

bool UnsizedAlgorithm::passes_on() const { return ordinary::passes_on(*algorithm); }

schedule::Schedule UnsizedAlgorithm::schedule(const CheckedCollective& call, int rank) const {
    return schedule::with_length_headers(collectives::schedule_of(*algorithm, combined, rank),
                                         longest(), edges_of(combined, rank), rank, sizes_of(call));
}

bool UnsizedAlgorithms::is_first(Kind kind) {
    const std::lock_guard lock(mutex_);
    return mean_blocks_.try_emplace(kind).second;
}

void UnsizedAlgorithms::settle(Kind kind, std::int64_t mean_block) {
    const std::lock_guard lock(mutex_);
    mean_blocks_[kind] = mean_block;
}

bool UnsizedAlgorithms::has_settled(Kind kind) const {
    const std::lock_guard lock(mutex_);
    const auto found = mean_blocks_.find(kind);
    return found != mean_blocks_.end() && found->second.has_value();
}

template <typename Find>
const UnsizedAlgorithm& UnsizedAlgorithms::kept(const Key& key, Find find) {
    const std::lock_guard lock(mutex_);
    if (const auto at = found_.find(key); at != found_.end()) return at->second;
    return found_.emplace(key, find()).first->second;
}

const UnsizedAlgorithm& UnsizedAlgorithms::of(const Problem& problem,
                                              const choose::Machine& machine) {
    const auto kind = problem.kind;
    return kept({nullptr, kind, problem.root}, [&] {
        return unsized_algorithm_by(cheapest(problem, *mean_blocks_.at(kind), machine), problem,
                                    machine);
    });
}

const UnsizedAlgorithm& UnsizedAlgorithms::by(const Algorithm& algorithm, const Problem& problem,
                                              const choose::Machine& machine) {
    return kept({&algorithm, problem.kind, problem.root},
                [&] { return unsized_algorithm_by(algorithm, problem, machine); });
}

}  // namespace carpool::ordinary
