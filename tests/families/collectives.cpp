// SPDX-License-Identifier: MIT
#include "collective_ranks.hpp"
#include "family.hpp"
#include "in_place.hpp"
#include "node_maps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// The ordinary collectives: every algorithm from every root, for blocks of several kinds of sizes.

namespace families {
namespace {

using namespace carpool::collectives;
using collective_ranks::has_block_per_rank;

constexpr std::int64_t element = 8;

/// Sizes of the blocks of a problem; for an alltoall whose blocks differ there is a problem per
/// rank.
struct Sized {
    std::string name;
    std::vector<Problem> problems;
    std::int64_t longest = std::numeric_limits<std::int64_t>::max();  ///< longer ones go directly
};

std::vector<std::int64_t> irregular(int ranks) {
    RandomSource random(static_cast<std::uint64_t>(ranks));
    std::vector<std::int64_t> bytes;
    for (int rank = 0; rank < ranks; ++rank)
        bytes.push_back(random.one_in(3) ? 0 : element * random.between(1, 9));
    return bytes;
}

std::vector<std::int64_t> one_alone(int ranks) {
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
    bytes[bytes.size() / 2] = element;
    return bytes;
}

Problem with_bytes(Problem problem, std::vector<std::int64_t> bytes, bool keeps_empty = false) {
    problem.bytes = std::move(bytes);
    problem.keeps_empty = keeps_empty;
    return problem;
}

std::vector<Problem> varying(const Problem& base) {
    RandomSource random(static_cast<std::uint64_t>(base.ranks));
    auto problems = collective_ranks::varying_alltoall(random, base.ranks);
    for (auto& problem : problems) problem.nodes = base.nodes;
    return problems;
}

/// Blocks for the next rank alone.
std::vector<Problem> to_next_alone(const Problem& base) {
    std::vector<Problem> problems(static_cast<std::size_t>(base.ranks), base);
    for (auto& problem : problems) {
        problem.sent.assign(problems.size(), 0);
        problem.received = problem.sent;
    }
    for (std::size_t rank = 0; rank < problems.size(); ++rank) {
        const auto next = (rank + 1) % problems.size();
        problems[rank].sent[next] = problems[next].received[rank] = element;
    }
    return problems;
}

std::vector<Sized> sizes_of_one_block(const Problem& base) {
    const std::int64_t ranks = base.ranks;
    return {{"3 P + 1 elements", {with_bytes(base, {(3 * ranks + 1) * element})}},
            {"one element", {with_bytes(base, {element})}},
            {"128 elements", {with_bytes(base, {128 * element})}},
            {"P - 1 elements", {with_bytes(base, {(ranks - 1) * element})}},
            {"no bytes", {with_bytes(base, {0})}},
            {"one element, empty pieces kept", {with_bytes(base, {element}, true)}},
            {"no bytes, kept", {with_bytes(base, {0}, true)}}};
}

std::vector<Sized> sizes_of_blocks_per_rank(const Problem& base) {
    return {{"irregular", {with_bytes(base, irregular(base.ranks))}},
            {"equal", {with_bytes(base, {element})}},
            {"one alone", {with_bytes(base, one_alone(base.ranks))}},
            {"no bytes", {with_bytes(base, {0})}},
            {"irregular, empty ones kept", {with_bytes(base, irregular(base.ranks), true)}}};
}

std::vector<Sized> sizes_of_alltoall(const Problem& base) {
    constexpr std::int64_t longest = 50;  // of at most 100
    return {{"irregular", varying(base)},
            {"equal", {with_bytes(base, {element})}},
            {"irregular, long ones directly", varying(base), longest},
            {"to the next rank alone", to_next_alone(base)},
            {"no bytes", {with_bytes(base, {0})}},
            {"no bytes, kept", {with_bytes(base, {0}, true)}}};
}

std::vector<Sized> sizes(const Problem& base) {
    if (base.kind == Kind::barrier) return {{"no blocks", {base}}};
    if (base.kind == Kind::alltoall) return sizes_of_alltoall(base);
    return has_block_per_rank(base.kind) ? sizes_of_blocks_per_rank(base)
                                         : sizes_of_one_block(base);
}

/// Whether no block or piece is left out, so that the messages are as many as promised.
bool all_travel(const Algorithm& a, const Problem& problem) {
    if (problem.varies()) return false;
    if (problem.kind == Kind::barrier || problem.keeps_empty) return true;
    if (problem.bytes.size() > 1) return false;
    return problem.block() >= a.pieces(problem) * element;
}

Schedules schedules_of(const Algorithm& a, const Sized& sized) {
    return a.forwards && sized.problems.front().varies()
               ? collective_ranks::learnt_schedules(a, sized.problems, sized.longest)
               : collective_ranks::schedules(a, sized.problems);
}

/// Whether a rank's own block may be in one place, on all ranks or on the root.
bool may_be_in_place(Kind kind) {
    return kind == Kind::gather || kind == Kind::scatter || kind == Kind::allgather;
}

/// The exchange with MPI_IN_PLACE.
Exchange turned_in_place(Exchange exchange, const Problem& problem) {
    for (int rank = 0; rank < problem.ranks; ++rank) {
        if (problem.kind != Kind::allgather && rank != problem.root) continue;
        const int sent = problem.kind == Kind::scatter ? rank : 0;
        const int received = problem.kind == Kind::scatter ? 0 : rank;
        const auto r = static_cast<std::size_t>(rank);
        exchange.schedules[r] = in_place(std::move(exchange.schedules[r]), sent, received);
        exchange.expected[r][static_cast<std::size_t>(received)] = {};
    }
    return exchange;
}

void verify(const Algorithm& a, const Sized& sized, const std::string& nodes, Tally& tally) {
    const auto& problem = sized.problems.front();
    Exchange exchange{schedules_of(a, sized), expected(sized.problems, a.pieces(problem)),
                      order_of(problem)};
    if (all_travel(a, problem)) exchange.messages = a.messages(problem);
    const auto what = [&] {
        return collective_ranks::described(a, problem) + ", " + sized.name + ", " + nodes;
    };
    tally.verify(a.name, exchange, what);
    if (may_be_in_place(a.kind))
        tally.verify(std::string(a.name) + " in place",
                     turned_in_place(std::move(exchange), problem), what);
}

/// The digits that are asked for by name.
std::vector<carpool::routing::Digits> digits_to_try(const Algorithm& a, int ranks) {
    if (a.name != "digits") return {{}};
    std::vector<carpool::routing::Digits> all;
    for (int count = 1; count <= 6; ++count) all.push_back({count, {}});
    for (int first = 2; first <= ranks; ++first)
        all.push_back({0, {first, (ranks + first - 1) / first + 1}});
    for (int first = 2; first < ranks; ++first)
        if (ranks % first == 0) all.push_back({0, {first, ranks / first}});
    all.push_back({0, {2, 3, 2, 3, 2}});
    return all;
}

bool depends_on_nodes(const Algorithm& a) { return a.by_node || a.name == "digits"; }

/// Where nodes matter, all maps of them are combined with two kinds of sizes.
void verify(const Algorithm& a, const Problem& base, const NodeMap& map, Tally& tally) {
    auto all = sizes(base);
    if (map.nodes != nullptr && all.size() > 2) all.resize(2);
    for (const auto& sized : all)
        if (a.applies(sized.problems.front())) verify(a, sized, map.name, tally);
}

void verify(const Algorithm& a, int ranks, const NodeMap& map, Tally& tally) {
    for (const auto& digits : digits_to_try(a, ranks))
        for (int root = 0; root < (has_root(a.kind) ? ranks : 1); ++root)
            for (const bool commutes : {true, false}) {
                auto base = collective_ranks::equal_blocks(a.kind, ranks, element);
                base.root = root;
                base.commutes = commutes;
                base.segment = 100;  // 12 elements
                base.digits = digits;
                base.nodes = map.nodes;
                if (commutes || reduces(a.kind)) verify(a, base, map, tally);
            }
}

template <Kind kind>
void run(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks) {
        const auto maps = node_maps(ranks, scope);
        for (const auto& a : algorithms(kind))
            for (const auto& map : maps)
                if (map.nodes == nullptr || depends_on_nodes(a)) verify(a, ranks, map, tally);
    }
}

constexpr std::array all_collective_families{
    Family{"barrier", run<Kind::barrier>},
    Family{"bcast", run<Kind::bcast>},
    Family{"gather", run<Kind::gather>},
    Family{"scatter", run<Kind::scatter>},
    Family{"allgather", run<Kind::allgather>},
    Family{"alltoall", run<Kind::alltoall>},
    Family{"reduce", run<Kind::reduce>},
    Family{"allreduce", run<Kind::allreduce>},
    Family{"reduce_scatter", run<Kind::reduce_scatter>},
    Family{"scan", run<Kind::scan>},
    Family{"exscan", run<Kind::exscan>},
};

}  // namespace

std::span<const Family> collective_families() { return all_collective_families; }

}  // namespace families
