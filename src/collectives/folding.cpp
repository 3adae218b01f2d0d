#include "collectives/folding.hpp"

#include "base/expects.hpp"

#include <algorithm>
#include <bit>

namespace carpool::collectives {

Folding::Folding(int ranks) : Folding(ranks, most_bits(ranks)) {}

Folding::Folding(int ranks, int bits, int first) : ranks_(ranks), bits_(bits), first_(first) {
    CARPOOL_EXPECTS(ranks >= groups(), ranks, bits);
}

int Folding::most_bits(int ranks) { return std::bit_width(static_cast<unsigned>(ranks)) - 1; }

int Folding::start_of(int group) const {
    return ranks_ / groups() * group + std::min(group, ranks_ % groups());
}

int Folding::group_of(int rank) const {
    const int distance = (rank - first_ + ranks_) % ranks_;
    const int size = ranks_ / groups();
    const int larger = ranks_ % groups();
    const int in_larger = larger * (size + 1);
    return distance < in_larger ? distance / (size + 1) : larger + (distance - in_larger) / size;
}

std::vector<int> Folding::followers(int group) const {
    std::vector<int> ranks;
    for (int distance = start_of(group) + 1; distance < start_of(group + 1); ++distance)
        ranks.push_back(rank_at(distance));
    return ranks;
}

int Folding::reversed(int group) const {
    int number = 0;
    for (int bit = 0; bit < bits_; ++bit) number = number << 1 | (group >> bit & 1);
    return number;
}

}  // namespace carpool::collectives
