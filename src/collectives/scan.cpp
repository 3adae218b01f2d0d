// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// What a rank has of its prefix: sums of lower ranks, and the sum of these and its own block.
class Prefix {
public:
    explicit Prefix(Script& script)
        : Prefix(script, script.own(), script.result(), script.problem().kind == Kind::scan) {}

    /// @param inclusive  the result is to include the own block
    Prefix(Script& script, const Part& own, const Part& result, bool inclusive)
        : script_(script), result_(result), inclusive_(inclusive), with_own_(own) {}

    /// Receives the sum of the ranks just below those whose sums have been received.
    /// @param only  no other sum will be received
    void receive(int phase, int from, bool only = false) {
        const bool final = only && !inclusive_;
        const auto arrived = final ? result_ : script_.temp_like(result_);
        script_.receive(phase, from, {arrived});
        before_.insert(before_.begin(), arrived);
    }

    /// The sum of all that has been received and of the rank's own block.
    Part with_own() {
        const auto parts = not_yet_summed();
        if (parts.size() > 1) with_own_ = script_.sum(parts);
        summed_ = before_.size();
        return with_own_;
    }

    /// Makes the result of all that has been received. A scan's result includes the own block, an
    /// exscan's does not, so that rank 0 has none.
    void conclude() {
        if (inclusive_) {
            script_.conclude(not_yet_summed(), result_);
            if (!before_.empty()) with_own_ = result_;
            summed_ = before_.size();
        } else if (!before_.empty() && before_ != Parts{result_}) {
            script_.conclude(before_, result_);
        }
    }

private:
    Parts not_yet_summed() const {
        Parts parts(before_.begin(), before_.end() - static_cast<std::ptrdiff_t>(summed_));
        parts.push_back(with_own_);
        return parts;
    }

    Script& script_;
    Part result_;
    bool inclusive_;
    Parts before_;   // the furthest first
    Part with_own_;  // the own block and the last summed_ of these
    std::size_t summed_ = 0;
};

void linear(Script& script) {
    const int rank = script.rank();
    Prefix prefix(script);
    if (rank > 0) prefix.receive(rank - 1, rank - 1, true);
    prefix.conclude();
    if (rank + 1 < script.ranks()) script.send(rank, rank + 1, {prefix.with_own()});
}

/// After phase p a rank has the sum of the 2^(p+1) ranks up to itself (Hillis and Steele 1986).
void double_prefix(Script& script, Prefix prefix) {
    const int rank = script.rank();
    if (rank == 0) prefix.conclude();
    int phase = 0;
    for (std::int64_t distance = 1; distance < script.ranks(); distance *= 2, ++phase) {
        const auto to = rank + distance;
        const auto from = rank - distance;
        if (to < script.ranks()) script.send(phase, static_cast<int>(to), {prefix.with_own()});
        if (from < 0) continue;
        prefix.receive(phase, static_cast<int>(from));
        if (from < distance) prefix.conclude();  // no rank is at the next distance
    }
}

void recursive_doubling(Script& script) { double_prefix(script, Prefix(script)); }

/// How many ranks, up to itself, a rank sums in the binary tree: the largest power of 2 that
/// divides its number, counted from 1.
std::int64_t span_of(int rank) {
    const std::int64_t number = rank + 1;
    return number & -number;
}

/// The phase on the way up in which sums are sent over this distance, a power of 2.
int level_of(std::int64_t distance) {
    return std::countr_zero(static_cast<std::uint64_t>(distance));
}

void sum_up(Script& script, std::int64_t span, Prefix& prefix) {
    for (std::int64_t distance = 1; distance < span; distance *= 2)
        prefix.receive(level_of(distance), script.away(-distance));
    if (script.rank() + span < script.ranks())
        script.send(level_of(span), script.away(span), {prefix.with_own()});
    script.pass(Tree::depth_of(script.ranks(), 2));
}

void tell_down(Script& script, std::int64_t span, Prefix& prefix) {
    const int last = Tree::depth_of(script.ranks(), 2) - 1;
    if (script.rank() >= span) prefix.receive(last - level_of(span), script.away(-span), span == 1);
    prefix.conclude();
    for (auto distance = span / 2; distance > 0; distance /= 2)
        if (script.rank() + distance < script.ranks())
            script.send(last - level_of(distance), script.away(distance), {prefix.with_own()});
}

/// Sums of 2, 4, 8 ... ranks go up a binary tree, and sums of all lower ranks come down (Blelloch
/// 1990).
void binomial(Script& script) {
    const auto span = span_of(script.rank());
    Prefix prefix(script);
    sum_up(script, span, prefix);
    tell_down(script, span, prefix);
}

/// Rank 0 makes the sums for all ranks.
void star(Script& script) {
    const auto tree = tree_of<0>(script);
    Parts blocks;
    gather(script, tree, [&](int rank) -> Parts {
        blocks.push_back(rank == script.rank() ? script.own() : script.temp_like(script.own()));
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
    if (tree.is_root()) Prefix(script).conclude();
}

/// The sums of the first block, of the first two blocks, and so on.
Parts running_sums(Script& script, const Parts& blocks) {
    Parts sums;
    for (const auto& block : blocks)
        sums.push_back(sums.empty() ? block : script.sum({sums.back(), block}));
    return sums;
}

/// Leaders gather the blocks of their nodes, get the sum of all lower nodes, and scatter results.
void by_node(Script& script) {
    const NodeTeams teams(script, 0);
    const bool inclusive = script.problem().kind == Kind::scan;
    const auto own = script.own();
    const auto result = script.result();
    const int self = script.rank();
    Parts blocks;
    teams.gather(script, [&](int rank) -> Parts {
        blocks.push_back(rank == self ? own : script.temp_like(own));
        return {blocks.back()};
    });
    Parts values;
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2), [&] {
        const auto sums = running_sums(script, blocks);
        const auto before = inclusive ? script.temp_like(own) : result;
        double_prefix(script, Prefix(script, sums.back(), before, false));
        const bool first = script.rank() == 0;
        const auto with_before = [&](const Part& sum) {
            return first ? sum : script.sum({before, sum});
        };
        if (inclusive) script.conclude(first ? Parts{own} : Parts{before, own}, result);
        values = {result};
        for (std::size_t place = 1; place < blocks.size(); ++place)
            values.push_back(with_before(sums[inclusive ? place : place - 1]));
    });
    std::size_t place = 0;
    teams.scatter(script, [&](int) { return Parts{values.empty() ? result : values[place++]}; });
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
    Algorithm{.kind = kind,
              .name = "node",
              .applies = if_nodes_in_order,
              .pieces = whole,
              .write = by_node,
              .messages = messages_by_node<messages_of_prefix_doubling>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> scan_algorithms() { return list<Kind::scan>; }
std::span<const Algorithm> exscan_algorithms() { return list<Kind::exscan>; }

}  // namespace carpool::collectives
