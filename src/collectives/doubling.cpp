#include "collectives/doubling.hpp"

#include <algorithm>
#include <utility>

namespace carpool::collectives {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool has_bit(int number, int bit) { return (number >> bit & 1) != 0; }

/// The bits in the order in which sum_scattered() takes them; collect() takes them in reverse.
std::vector<int> bits_in_order(const Folding& folding, Bits bits) {
    std::vector<int> order;
    for (int bit = 0; bit < folding.bits(); ++bit) order.push_back(bit);
    if (bits == Bits::far_first) std::reverse(order.begin(), order.end());
    return order;
}

std::vector<int> all_groups(const Folding& folding) {
    std::vector<int> groups;
    for (int group = 0; group < folding.groups(); ++group) groups.push_back(group);
    return groups;
}

/// Removes and returns the groups that have the same bit as `like`.
std::vector<int> split_off(std::vector<int>& groups, int like, int bit) {
    const auto middle = std::stable_partition(groups.begin(), groups.end(), [like, bit](int group) {
        return has_bit(group, bit) != has_bit(like, bit);
    });
    std::vector<int> same(middle, groups.end());
    groups.erase(middle, groups.end());
    return same;
}

Parts parts_of(const std::vector<Parts>& held, const std::vector<int>& groups) {
    Parts all;
    for (const int group : groups) append(all, held[index(group)]);
    return all;
}

/// What this rank holds and what came from a partner, in the order of ranks.
Parts pair_of(const Part& here, const Part& there, int group, int bit) {
    return has_bit(group, bit) ? Parts{there, here} : Parts{here, there};
}

}  // namespace

std::vector<Parts> by_group(const Folding& folding, const std::vector<Parts>& of_ranks) {
    std::vector<Parts> parts;
    for (int group = 0; group < folding.groups(); ++group) {
        parts.push_back(of_ranks[index(folding.leader(group))]);
        if (const auto follower = folding.follower(group))
            append(parts.back(), of_ranks[index(*follower)]);
    }
    return parts;
}

Parts fold(Script& script, const Folding& folding, const Parts& own) {
    if (!folding.pairs()) return own;
    const int group = folding.group_of(script.rank());
    const auto follower = folding.follower(group);
    Parts sums = own;
    if (!folding.leads(script.rank())) {
        script.send(0, folding.leader(group), own);
        sums.clear();
    } else if (follower) {
        const auto arrived = script.temps_like(own);
        script.receive(0, *follower, arrived);
        for (std::size_t i = 0; i < own.size(); ++i) sums[i] = script.sum({own[i], arrived[i]});
    }
    script.pass(1);
    return sums;
}

void unfold(Script& script, const Folding& folding, const Parts& leaders, const Parts& followers) {
    if (!folding.pairs()) return;
    const int group = folding.group_of(script.rank());
    if (!folding.leads(script.rank()))
        script.receive(0, folding.leader(group), followers);
    else if (const auto follower = folding.follower(group))
        script.send(0, *follower, leaders);
    script.pass(1);
}

std::vector<Parts> sum_everywhere(Script& script, const Folding& folding, Parts own) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return {};
    const int group = folding.group_of(script.rank());
    auto summands = one_by_one(own);
    for (int bit = 0; bit < folding.bits(); ++bit) {
        own = script.sums(summands);
        const int phase = bit - folding.bits();
        const int partner = folding.leader(group ^ 1 << bit);
        const auto arrived = script.temps_like(own);
        script.send(phase, partner, own);
        script.receive(phase, partner, arrived);
        for (std::size_t i = 0; i < own.size(); ++i)
            summands[i] = pair_of(own[i], arrived[i], group, bit);
    }
    return summands;
}

Bits bits_of(const Problem& problem) {
    return problem.commutes ? Bits::far_first : Bits::near_first;
}

std::vector<Parts> sum_scattered(Script& script, const Folding& folding, Bits bits,
                                 std::vector<Parts> held) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return {};
    const int group = folding.group_of(script.rank());
    std::vector<std::vector<Parts>> summands;
    for (const auto& parts : held) summands.push_back(one_by_one(parts));
    auto left = all_groups(folding);
    int phase = -folding.bits();
    for (const int bit : bits_in_order(folding, bits)) {
        const int partner = folding.leader(group ^ 1 << bit);
        auto kept = split_off(left, group, bit);
        for (const int g : left) held[index(g)] = script.sums(summands[index(g)]);
        for (const int g : kept) held[index(g)] = script.sums(summands[index(g)]);
        script.send(phase, partner, parts_of(held, left));
        const auto arrived = script.temps_like(parts_of(held, kept));
        script.receive(phase++, partner, arrived);
        auto next = arrived.begin();
        for (const int g : kept)
            for (std::size_t i = 0; i < held[index(g)].size(); ++i)
                summands[index(g)][i] = pair_of(held[index(g)][i], *next++, group, bit);
        left = std::move(kept);
    }
    return summands[index(group)];
}

void collect(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held,
             std::optional<int> target) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return;
    const int group = folding.group_of(script.rank());
    auto order = bits_in_order(folding, bits);
    std::reverse(order.begin(), order.end());
    std::vector<int> here{group};
    int phase = -folding.bits();
    for (const int bit : order) {
        const bool beside = target && has_bit(group, bit) != has_bit(*target, bit);
        const int partner = folding.leader(group ^ 1 << bit);
        auto there = here;
        for (auto& g : there) g ^= 1 << bit;
        std::sort(there.begin(), there.end());
        if (!target || beside) script.send(phase, partner, parts_of(held, here));
        if (beside) return;
        script.receive(phase++, partner, parts_of(held, there));
        here.insert(here.end(), there.begin(), there.end());
        std::sort(here.begin(), here.end());
    }
}

}  // namespace carpool::collectives
