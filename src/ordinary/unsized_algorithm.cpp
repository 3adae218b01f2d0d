#include "ordinary/unsized_algorithm.hpp"

#include "choose/cheapest.hpp"
#include "choose/load.hpp"
#include "collectives/choice.hpp"
#include "schedule/length_headers.hpp"
#include "schedule/resized.hpp"
#include "topology/graph.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace carpool::ordinary {
namespace {

using collectives::Algorithm;
using collectives::Kind;
using collectives::Problem;

constexpr std::size_t most_unsized = 2;

/// Bytes of a block by which unsized algorithms are compared, because no rank knows how long all
/// blocks are.
constexpr std::int64_t short_block = 64;

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

/// The unsized algorithm that uses this algorithm. A measurement decides whether it is used, so it
/// combines longer blocks than costs suggest.
UnsizedAlgorithm unsized_algorithm_by(const Algorithm& algorithm, const Problem& problem,
                                      const choose::Machine& machine, std::int64_t blocks) {
    const auto straight_blocks =
        collectives::load_of(straight(problem.kind), problem, machine).blocks();
    auto model = machine.cost(machine.widest());
    model.alpha *= choose::most_wrong;
    return {&algorithm,
            problem.with_equal_blocks(choose::longest_riding(model, blocks, straight_blocks))};
}

/// The unsized algorithms that cost less than sending directly if blocks are short, the cheapest
/// first; between nodes also algorithms in stages by node that cost more, but not much more. The
/// same on all ranks, whatever sizes the problem has.
std::vector<UnsizedAlgorithm> unsized(const Problem& problem, const choose::Machine& machine) {
    const auto blocks = problem.with_equal_blocks(short_block);
    const auto algorithms = collectives::applicable(blocks);
    std::vector<choose::Candidate> candidates;
    for (const auto* algorithm : algorithms)
        candidates.push_back(collectives::candidate(*algorithm, blocks, machine));
    std::vector<UnsizedAlgorithm> result;
    bool beats_straight = true;
    for (const auto& [number, load, way] :
         choose::front_runners(machine, candidates, candidates.size(), choose::most_wrong)) {
        const auto& algorithm = *algorithms[number];
        if (&algorithm == &straight(problem.kind)) beats_straight = false;
        if (passes_on(algorithm) && (beats_straight || algorithm.by_node))
            result.push_back(unsized_algorithm_by(algorithm, blocks, machine, load.blocks()));
        if (result.size() == most_unsized) break;
    }
    return result;
}

}  // namespace

schedule::Schedule UnsizedAlgorithm::schedule(const CheckedCollective& call, int rank) const {
    return schedule::with_length_headers(collectives::schedule_of(*algorithm, riding, rank),
                                         longest(), edges_of(riding, rank), rank, sizes_of(call));
}

bool passes_on(const Algorithm& algorithm) {
    return algorithm.kind == Kind::alltoall ? algorithm.forwards
                                            : &algorithm != &straight(algorithm.kind);
}

template <typename Find>
const std::vector<UnsizedAlgorithm>& UnsizedAlgorithms::kept(const Key& key, Find find) {
    const std::lock_guard lock(mutex_);
    if (const auto at = found_.find(key); at != found_.end()) return at->second;
    return found_.emplace(key, find()).first->second;
}

const std::vector<UnsizedAlgorithm>& UnsizedAlgorithms::of(const Problem& problem,
                                                           const choose::Machine& machine) {
    return kept({nullptr, problem.kind, problem.root}, [&] { return unsized(problem, machine); });
}

const std::vector<UnsizedAlgorithm>& UnsizedAlgorithms::by(const Algorithm& algorithm,
                                                           const Problem& problem,
                                                           const choose::Machine& machine) {
    return kept({&algorithm, problem.kind, problem.root}, [&] {
        const auto blocks = problem.with_equal_blocks(short_block);
        const auto load = collectives::load_of(algorithm, blocks, machine);
        return std::vector{unsized_algorithm_by(algorithm, blocks, machine, load.blocks())};
    });
}

bool is_worth_trying(const UnsizedAlgorithm& unsized_algorithm, const CheckedCollective& call) {
    const auto would_ride = [&](const std::vector<std::int64_t>& sizes) {
        const auto rides = [&](std::int64_t bytes) { return bytes <= unsized_algorithm.longest(); };
        return 2 * std::ranges::count_if(sizes, rides) > std::ssize(sizes);
    };
    const auto sizes = sizes_of(call);
    return would_ride(sizes.send) || would_ride(sizes.recv);
}

}  // namespace carpool::ordinary
