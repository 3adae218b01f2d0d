#pragma once

#include <optional>

namespace carpool::collectives {

/// The ranks in 2^m groups of one or two consecutive ranks, for algorithms that pair groups by the
/// bits of their numbers. The first rank of a group is its leader. The second, its follower, sends
/// its part to the leader and receives the result from it.
///
///   6 ranks, 4 groups      {0, 1}  {2, 3}  {4}  {5}
class Folding {
public:
    explicit Folding(int ranks);

    int groups() const { return 1 << bits_; }
    int bits() const { return bits_; }
    bool pairs() const { return pairs_ > 0; }

    /// The number of phases if leaders exchange parts `times` times for each bit. Where there are
    /// followers, one phase more is before these and one after them.
    int phases(int times) const { return times * bits_ + (pairs() ? 2 : 0); }

    int group_of(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
    int leader(int group) const { return group < pairs_ ? 2 * group : group + pairs_; }
    bool leads(int rank) const { return leader(group_of(rank)) == rank; }

    /// The second rank of a group, if it has one.
    std::optional<int> follower(int group) const {
        return group < pairs_ ? std::optional(2 * group + 1) : std::nullopt;
    }

private:
    int bits_ = 0;
    int pairs_ = 0;
};

}  // namespace carpool::collectives
