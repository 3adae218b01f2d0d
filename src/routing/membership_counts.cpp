// SPDX-License-Identifier: MIT
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
    listed_.insert(listed_.end(), set.words().begin(), set.words().end());
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
    counts_.resize(ranks_);
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
    for (const int rank : listed_) ++counts_[static_cast<std::size_t>(rank)];
    listed_.clear();
    return counts_;
}

std::vector<MembershipCounts::Member> MembershipCounts::sorted_members(int least) {
    std::sort(listed_.begin(), listed_.end());
    std::vector<Member> members;
    for (std::size_t begin = 0, end = 0; begin < listed_.size(); begin = end) {
        while (end < listed_.size() && listed_[end] == listed_[begin]) ++end;
        if (const int count = static_cast<int>(end - begin); count >= least)
            members.push_back({listed_[begin], count});
    }
    return members;
}

std::vector<MembershipCounts::Member> MembershipCounts::in_at_least(int least) {
    constexpr std::size_t cost_of_sorting = 24;  // in ranks that are looked at, per member
    const bool only_lists = planes_.empty();
    if (only_lists && cost_of_sorting * listed_.size() < ranks_) return sorted_members(least);
    std::vector<Member> members;
    const auto of_rank = counts();
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        if (of_rank[rank] >= least) members.push_back({static_cast<int>(rank), of_rank[rank]});
    return members;
}

}  // namespace carpool::routing
