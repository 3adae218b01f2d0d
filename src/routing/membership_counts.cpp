#include "routing/membership_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace carpool::routing {
namespace {

constexpr int most_planes = 8;
constexpr std::size_t ranks_at_once = 8;

/// One byte for each bit of an index, the lowest bit first in memory on any machine.
using Bytes = std::array<std::uint8_t, ranks_at_once>;

constexpr auto spread_bits = [] {
    std::array<std::uint64_t, 256> spread{};
    for (std::size_t index = 0; index < spread.size(); ++index) {
        Bytes bytes{};
        for (std::size_t bit = 0; bit < bytes.size(); ++bit)
            bytes[bit] = static_cast<std::uint8_t>(index >> bit & 1);
        spread[index] = std::bit_cast<std::uint64_t>(bytes);
    }
    return spread;
}();

/// Adds the carry to the plane, and replaces the carry by that for the next plane.
void add_carry(std::span<std::uint32_t> plane, std::span<std::uint32_t> carry) {
    for (std::size_t w = 0; w < plane.size(); ++w) {
        const auto sum = plane[w] ^ carry[w];
        carry[w] &= plane[w];
        plane[w] = sum;
    }
}

}  // namespace

void MembershipCounts::add(const RankSet& set) {
    if (set.is_bits()) return add_bits(set.words());
    for (const int rank : set.words()) ++counts_[static_cast<std::size_t>(rank)];
}

void MembershipCounts::add_bits(std::span<const int> bits) {
    carry_.assign(bits.begin(), bits.end());
    ++pending_;
    const auto used = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(pending_)));
    if (planes_.size() < used) planes_.resize(used, Plane(bits.size()));
    for (std::size_t k = 0; k < used; ++k) add_carry(planes_[k], carry_);
    if (pending_ == (1 << most_planes) - 1) flush();
}

/// Adds the counters to the counts, for eight ranks at once as the bytes of one word.
void MembershipCounts::flush() {
    for (std::size_t first = 0; first < counts_.size() && pending_ > 0; first += ranks_at_once) {
        std::uint64_t sums = 0;
        for (std::size_t k = 0; k < planes_.size(); ++k)
            sums += spread_bits[planes_[k][first / 32] >> first % 32 & 255] << k;
        const auto bytes = std::bit_cast<Bytes>(sums);
        const auto end = std::min(ranks_at_once, counts_.size() - first);
        for (std::size_t i = 0; i < end; ++i) counts_[first + i] += bytes[i];
    }
    for (auto& plane : planes_) std::fill(plane.begin(), plane.end(), 0);
    pending_ = 0;
}

std::span<const int> MembershipCounts::counts() {
    flush();
    return counts_;
}

}  // namespace carpool::routing
