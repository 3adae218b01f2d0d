#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace carpool::collectives {
namespace {

/// Of a scan the sum of these and the rank's own block; of an exscan, without it, which leaves rank
/// 0 with nothing. @param before  sums of lower ranks, in their order
void conclude_prefix(Script& script, Parts before) {
    if (script.problem().kind == Kind::scan) before.push_back(script.own());
    if (!before.empty()) script.conclude(before, script.result());
}

Part sum_with_own(Script& script, Parts before) {
    before.push_back(script.own());
    return script.sum(before);
}

/// The sum of lower ranks that one of them sends.
Part receive_sum(Script& script, int phase, int from) {
    const auto arrived = script.temp(script.own().bytes);
    script.receive(phase, from, {arrived});
    return arrived;
}

void linear(Script& script) {
    Parts before;
    const int rank = script.rank();
    if (rank > 0) before.push_back(receive_sum(script, rank - 1, rank - 1));
    if (rank + 1 < script.ranks()) script.send(rank, rank + 1, {sum_with_own(script, before)});
    conclude_prefix(script, before);
}

/// After phase p a rank has the sum of the 2^(p+1) ranks up to itself (Hillis and Steele 1986).
void recursive_doubling(Script& script) {
    const int rank = script.rank();
    Parts before;  // the furthest first
    Part value = script.own();
    int phase = 0;
    for (std::int64_t distance = 1; distance < script.ranks(); distance *= 2, ++phase) {
        const auto to = rank + distance;
        const auto from = rank - distance;
        if (to < script.ranks()) script.send(phase, static_cast<int>(to), {value});
        if (from < 0) continue;
        const auto arrived = receive_sum(script, phase, static_cast<int>(from));
        before.insert(before.begin(), arrived);
        if (to + distance < script.ranks()) value = script.sum({arrived, value});
    }
    conclude_prefix(script, before);
}

/// How many ranks, up to itself, a rank sums in the binary tree: the largest power of 2 that
/// divides its number, counted from 1.
std::int64_t span_of(int rank) {
    const std::int64_t number = rank + 1;
    return number & -number;
}

/// ceil(log2 P)
int levels_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

/// In which phase on the way up a power of 2 is bridged.
int level_of(std::int64_t distance) {
    return std::countr_zero(static_cast<std::uint64_t>(distance));
}

/// Returns the sums that came, the furthest first.
Parts sum_up(Script& script, std::int64_t span) {
    Parts before;
    for (std::int64_t distance = 1; distance < span; distance *= 2)
        before.insert(before.begin(),
                      receive_sum(script, level_of(distance), script.away(-distance)));
    if (script.rank() + span < script.ranks())
        script.send(level_of(span), script.away(span), {sum_with_own(script, before)});
    script.pass(levels_of(script.ranks()));
    return before;
}

/// Returns the sums of all lower ranks, the furthest first.
Parts tell_down(Script& script, std::int64_t span, Parts before) {
    const int last = levels_of(script.ranks()) - 1;
    if (script.rank() >= span)
        before.insert(before.begin(),
                      receive_sum(script, last - level_of(span), script.away(-span)));
    std::optional<Part> sum;
    for (auto distance = span / 2; distance > 0; distance /= 2) {
        if (script.rank() + distance >= script.ranks()) continue;
        if (!sum) sum = sum_with_own(script, before);
        script.send(last - level_of(distance), script.away(distance), {*sum});
    }
    return before;
}

/// Sums of 2, 4, 8 ... ranks go up a binary tree, and what stands before them comes down
/// (Blelloch 1990).
void binomial(Script& script) {
    const auto span = span_of(script.rank());
    conclude_prefix(script, tell_down(script, span, sum_up(script, span)));
}

/// One rank sums for all.
void star(Script& script) {
    const auto tree = tree_of<0>(script);
    Parts blocks;
    gather(script, tree, [&](int rank) -> Parts {
        blocks.push_back(rank == script.rank() ? script.own() : script.temp(script.own().bytes));
        return {blocks.back()};
    });
    const bool inclusive = script.problem().kind == Kind::scan;
    Part sum = script.own();
    scatter(script, tree, [&](int rank) -> Parts {
        if (!tree.is_root()) return {script.result()};
        if (rank > 1 || (rank == 1 && inclusive))
            sum = script.sum({sum, blocks[static_cast<std::size_t>(inclusive ? rank : rank - 1)]});
        return {sum};
    });
    if (tree.is_root()) conclude_prefix(script, {});
}

std::int64_t messages_of_prefix_doubling(const Problem& problem) {
    std::int64_t messages = 0;
    for (std::int64_t distance = 1; distance < problem.ranks; distance *= 2)
        messages += problem.ranks - distance;
    return messages;
}

std::int64_t messages_of_binomial(const Problem& problem) {
    std::int64_t messages = 0;
    for (std::int64_t span = 1; span < problem.ranks; span *= 2) {
        messages += problem.ranks / (2 * span);           // up
        messages += (problem.ranks - span) / (2 * span);  // down
    }
    return messages;
}

template <Kind kind>
const std::array list{
    Algorithm{kind, "linear", always, whole, linear, one_way},
    Algorithm{kind, "recursive-doubling", always, whole, recursive_doubling,
              messages_of_prefix_doubling},
    Algorithm{kind, "binomial", always, whole, binomial, messages_of_binomial},
    Algorithm{kind, "star", always, whole, star, both_ways},
};

}  // namespace

std::span<const Algorithm> scan_algorithms() { return list<Kind::scan>; }
std::span<const Algorithm> exscan_algorithms() { return list<Kind::exscan>; }

}  // namespace carpool::collectives
