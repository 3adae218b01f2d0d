// SPDX-License-Identifier: MIT
#include "collectives/doubling.hpp"

#include <utility>

namespace carpool::collectives {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool has_bit(int number, int bit) { return (number >> bit & 1) != 0; }

/// What this rank holds and what came from a partner, in the order of ranks.
Parts pair_of(const Part& here, const Part& there, int number, int bit) {
    return has_bit(number, bit) ? Parts{there, here} : Parts{here, there};
}

/// A leader as recursive halving sees it: by its group's position. In the step of a bit it divides
/// the parts at the 2^(bit + 1) positions that differ from its own in lower bits: one half it
/// keeps, the other half is its partner's.
class Halving {
public:
    Halving(const Script& script, const Folding& folding, Bits bits)
        : folding_(folding),
          bits_(bits),
          position_(position_of(folding, bits, folding.group_of(script.rank()))) {}

    int position() const { return position_; }
    int partner_position(int bit) const { return position_ ^ 1 << bit; }
    int partner(int bit) const {
        return folding_.leader(position_of(folding_, bits_, partner_position(bit)));
    }

    /// The first of the 2^bit positions of the half in which a position is.
    static int half_of(int position, int bit) { return position >> bit << bit; }
    int kept(int bit) const { return half_of(position_, bit); }
    int left(int bit) const { return half_of(partner_position(bit), bit); }

    static Parts parts_in(const std::vector<Parts>& held, int half, int bit) {
        Parts all;
        for (int i = 0; i < 1 << bit; ++i) append(all, held[index(half + i)]);
        return all;
    }

private:
    const Folding& folding_;
    Bits bits_;
    int position_;
};

/// Whether the leader at a position has forwarded the parts of its own half and of the other one in
/// the scatter, or is its root.
bool has_both_halves(int position, int bit) {
    return Halving::half_of(position, bit + 1) == position;
}

}  // namespace

Parts fold(Script& script, const Groups& groups, const Parts& own) {
    if (!groups.has_followers()) return own;
    Parts sums;
    if (!groups.leads(script.rank())) {
        script.send(0, groups.leader(groups.group_of(script.rank())), own);
    } else {
        auto summands = one_by_one(own);
        for (const int follower : groups.followers(groups.group_of(script.rank()))) {
            const auto arrived = script.temps_like(own);
            script.receive(0, follower, arrived);
            for (std::size_t i = 0; i < own.size(); ++i) summands[i].push_back(arrived[i]);
        }
        sums = script.sums(summands);
    }
    script.pass(1);
    return sums;
}

void hand_in(Script& script, const Groups& groups, const PartsOf& held) {
    if (!groups.has_followers()) return;
    const int group = groups.group_of(script.rank());
    if (!groups.leads(script.rank()))
        script.send(0, groups.leader(group), held(script.rank()));
    else
        for (const int follower : groups.followers(group))
            script.receive(0, follower, held(follower));
    script.pass(1);
}

void unfold(Script& script, const Groups& groups, const PartsOf& handed, const Parts& received) {
    if (!groups.has_followers()) return;
    const int group = groups.group_of(script.rank());
    if (!groups.leads(script.rank()))
        script.receive(0, groups.leader(group), received);
    else
        for (const int follower : groups.followers(group))
            script.send(0, follower, handed(follower));
    script.pass(1);
}

void unfold(Script& script, const Groups& groups, const Parts& parts) {
    unfold(script, groups, [&](int) { return parts; }, parts);
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

int position_of(const Folding& folding, Bits bits, int group) {
    return bits == Bits::far_first ? group : folding.reversed(group);
}

std::vector<Parts> by_group(const Folding& folding, Bits bits, const std::vector<Parts>& of_ranks) {
    std::vector<Parts> parts(index(folding.groups()));
    for (int group = 0; group < folding.groups(); ++group) {
        auto& of = parts[index(position_of(folding, bits, group))];
        of = of_ranks[index(folding.leader(group))];
        for (const int follower : folding.followers(group)) append(of, of_ranks[index(follower)]);
    }
    return parts;
}

std::vector<Parts> sum_scattered(Script& script, const Folding& folding, Bits bits,
                                 std::vector<Parts> held) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return {};
    const Halving halving(script, folding, bits);
    std::vector<std::vector<Parts>> summands;
    for (const auto& parts : held) summands.push_back(one_by_one(parts));
    const auto sum_half = [&](int half, int bit) {
        for (int i = half; i < half + (1 << bit); ++i)
            held[index(i)] = script.sums(summands[index(i)]);
        return Halving::parts_in(held, half, bit);
    };
    int phase = -folding.bits();
    for (int bit = folding.bits() - 1; bit >= 0; --bit) {
        const int kept = halving.kept(bit);
        script.send(phase, halving.partner(bit), sum_half(halving.left(bit), bit));
        const auto arrived = script.temps_like(sum_half(kept, bit));
        script.receive(phase++, halving.partner(bit), arrived);
        auto next = arrived.begin();
        for (int i = kept; i < kept + (1 << bit); ++i)
            for (std::size_t j = 0; j < held[index(i)].size(); ++j)
                summands[index(i)][j] =
                    pair_of(held[index(i)][j], *next++, halving.position(), bit);
    }
    return summands[index(halving.position())];
}

void collect(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held,
             std::optional<int> target) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return;
    const Halving halving(script, folding, bits);
    int phase = -folding.bits();
    for (int bit = 0; bit < folding.bits(); ++bit) {
        const bool beside = target && has_bit(halving.position(), bit) !=
                                          has_bit(position_of(folding, bits, *target), bit);
        const int partner = halving.partner(bit);
        if (!target || beside)
            script.send(phase, partner, Halving::parts_in(held, halving.kept(bit), bit));
        if (beside) return;
        script.receive(phase++, partner, Halving::parts_in(held, halving.left(bit), bit));
    }
}

void scatter(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return;
    const Halving halving(script, folding, bits);
    int phase = -folding.bits();
    for (int bit = folding.bits() - 1; bit >= 0; --bit, ++phase) {
        const int partner = halving.partner(bit);
        if (has_both_halves(halving.position(), bit))
            script.send(phase, partner, Halving::parts_in(held, halving.left(bit), bit));
        else if (has_both_halves(halving.partner_position(bit), bit))
            script.receive(phase, partner, Halving::parts_in(held, halving.kept(bit), bit));
    }
}

void collect_scattered(Script& script, const Folding& folding, Bits bits,
                       const std::vector<Parts>& held) {
    script.pass(folding.bits());
    if (!folding.leads(script.rank())) return;
    const Halving halving(script, folding, bits);
    int phase = -folding.bits();
    for (int bit = 0; bit < folding.bits(); ++bit, ++phase) {
        const int partner = halving.partner(bit);
        if (!has_both_halves(halving.partner_position(bit), bit))
            script.send(phase, partner, Halving::parts_in(held, halving.kept(bit), bit));
        if (!has_both_halves(halving.position(), bit))
            script.receive(phase, partner, Halving::parts_in(held, halving.left(bit), bit));
    }
}

}  // namespace carpool::collectives
