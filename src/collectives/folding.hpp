#pragma once

#include <vector>

namespace carpool::collectives {

/// The ranks in 2^m groups of consecutive ranks, for algorithms that pair groups by the bits of
/// their numbers. The sizes of groups differ by one at most, the larger ones come first. The first
/// rank of a group is its leader. The others, its followers, send their parts to the leader and
/// receive the result from it.
///
///   6 ranks, 4 groups      {0, 1}  {2, 3}  {4}  {5}
class Folding {
public:
    /// As many groups as can be: each has one or two ranks.
    explicit Folding(int ranks);

    /// 2^bits groups. @param first  the rank that leads group 0; those after the last one follow it
    /// @pre there are at least as many ranks as groups
    Folding(int ranks, int bits, int first = 0);

    /// The largest number of bits for so many ranks.
    static int most_bits(int ranks);

    int groups() const { return 1 << bits_; }
    int bits() const { return bits_; }
    bool has_followers() const { return ranks_ > groups(); }

    /// The number of phases if leaders exchange parts `times` times for each bit. Where there are
    /// followers, one phase more is before these and one after them.
    int phases(int times) const { return times * bits_ + (has_followers() ? 2 : 0); }

    int group_of(int rank) const;
    int leader(int group) const { return rank_at(start_of(group)); }
    bool leads(int rank) const { return leader(group_of(rank)) == rank; }

    /// The other ranks of a group.
    std::vector<int> followers(int group) const;

    /// The number of a group with its bits in reverse order. If groups take pieces of a block by
    /// this number, the pieces of all groups that have the same lowest bits lie side by side.
    int reversed(int group) const;

private:
    int start_of(int group) const;
    int rank_at(int distance) const { return (first_ + distance) % ranks_; }

    int ranks_;
    int bits_;
    int first_;
};

}  // namespace carpool::collectives
