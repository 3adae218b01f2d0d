// SPDX-License-Identifier: MIT
#include "routing/basis/leg_groups.hpp"

#include "routing/partition.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace carpool::routing {
namespace {

bool stays(const Axis& axis, std::size_t neighbor) {
    return axis.values[static_cast<std::size_t>(axis.index_of[neighbor])] == 0;
}

/// The values that some neighbors have in some legs, in one bit field for each leg, and the total
/// weight of these neighbors.
struct LegValues {
    std::uint64_t code;
    std::int64_t weight;
};

/// Merges values with equal codes.
std::vector<LegValues> merged_values(std::vector<LegValues> values) {
    std::sort(values.begin(), values.end(),
              [](const LegValues& a, const LegValues& b) { return a.code < b.code; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i].code == values[kept].code)
            values[kept].weight += values[i].weight;
        else
            values[++kept] = values[i];
    }
    if (!values.empty()) values.resize(kept + 1);
    return values;
}

/// The counts of groups of consecutive legs. The number of different values falls as legs are left
/// out.
class GroupCounts {
public:
    GroupCounts(const std::vector<Leg>& legs, Pattern pattern,
                std::span<const std::int64_t> weights)
        : legs_(legs), pattern_(pattern) {
        for (const auto& leg : legs) {
            const auto width = static_cast<int>(std::bit_width(leg.axis.values.size()));
            fields_.push_back(((std::uint64_t{1} << width) - 1) << bits_);
            bits_ += width;
            if (bits_ >= 64) return;
        }
        values_ = merged_values(all_values(weights));
    }

    /// The counts of the group of the legs `first` .. `end` - 1.
    Counts of(std::size_t first, std::size_t end) const { return counts_[first][end]; }

    /// Counts all groups; returns false if there are too many values.
    bool count() {
        counts_.assign(legs_.size(), std::vector<Counts>(legs_.size() + 1));
        if (bits_ >= 64) return false;
        return pattern_ == Pattern::alltoall ? count_alltoall() : count_allgather();
    }

private:
    /// The field of a leg is 0 if the neighbor does not take it, else the index of its value plus
    /// 1.
    std::vector<LegValues> all_values(std::span<const std::int64_t> weights) const {
        std::vector<LegValues> values(legs_.front().axis.index_of.size(), {0, 1});
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            const auto low = std::countr_zero(fields_[leg]);
            for (std::size_t i = 0; i < values.size(); ++i)
                if (!stays(legs_[leg].axis, i))
                    values[i].code |= static_cast<std::uint64_t>(legs_[leg].axis.index_of[i] + 1)
                                      << low;
        }
        for (std::size_t i = 0; i < weights.size(); ++i) values[i].weight = weights[i];
        return values;
    }

    /// Removes a leg from the values; returns false if the budget is used up.
    bool leave_out(std::vector<LegValues>& values, std::size_t leg) {
        steps_left_ -= static_cast<std::int64_t>(values.size());
        for (auto& one : values) one.code &= ~fields_[leg];
        values = merged_values(std::move(values));
        return steps_left_ > 0;
    }

    bool count_alltoall() {
        auto from_first = values_;
        for (std::size_t first = 0; first < legs_.size(); ++first) {
            auto values = from_first;
            for (auto end = legs_.size(); end > first; --end) {
                auto& counts = counts_[first][end];
                for (const auto& [code, weight] : values)
                    if (code != 0) counts = counts + Counts{1, 0, weight};
                counts.phases = counts.rounds > 0 ? 1 : 0;
                if (!leave_out(values, end - 1)) return false;
            }
            if (!leave_out(from_first, first)) return false;
        }
        return true;
    }

    /// The volume of a group is the number of classes of a prefix tree whose block the group moves.
    bool count_allgather() {
        if (!count_alltoall()) return false;
        auto values = values_;
        for (auto end = legs_.size(); end > 0; --end) {
            std::uint64_t group = 0;
            for (auto first = end; first-- > 0;) {
                group |= fields_[first];
                counts_[first][end].volume = std::count_if(
                    values.begin(), values.end(),
                    [group](const LegValues& one) { return (one.code & group) != 0; });
            }
            if (!leave_out(values, end - 1)) return false;
        }
        return true;
    }

    const std::vector<Leg>& legs_;
    Pattern pattern_;
    int bits_ = 0;
    std::vector<std::uint64_t> fields_;  // per leg
    std::vector<LegValues> values_;
    std::vector<std::vector<Counts>> counts_;
    std::int64_t steps_left_ = std::int64_t{1} << 20;
};

/// The groupings, all with the same number of phases, that no other beats in rounds and volume; if
/// there are many, an even selection of these.
std::vector<Grouping> thinned(std::vector<Grouping> same_phases) {
    constexpr std::size_t most = 10;
    std::sort(same_phases.begin(), same_phases.end(),
              [](const auto& a, const auto& b) { return a.counts < b.counts; });
    std::vector<Grouping> front;
    for (auto& one : same_phases)
        if (front.empty() || one.counts.volume < front.back().counts.volume)
            front.push_back(std::move(one));
    if (front.size() <= most) return front;
    std::vector<Grouping> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(std::move(front[i * (front.size() - 1) / (most - 1)]));
    return some;
}

using ByPhases = std::map<std::int64_t, std::vector<Grouping>>;

std::vector<int> sum_of(const topology::Grid& grid, std::span<const Leg> legs,
                        std::size_t neighbor) {
    std::vector<int> sum(static_cast<std::size_t>(grid.dimensions()), 0);
    for (const auto& leg : legs) {
        if (stays(leg.axis, neighbor)) continue;
        const auto hop =
            leg.hop(leg.axis.values[static_cast<std::size_t>(leg.axis.index_of[neighbor])]);
        for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] = grid.shortest(static_cast<int>(k), sum[k] + hop[k]);
    }
    return sum;
}

/// Merges the legs into one. Neighbors that agree in all of the legs have the same sum; others may
/// have it too.
Leg merged(const topology::Grid& grid, std::span<const Leg> legs) {
    const auto neighbors = static_cast<int>(legs.front().axis.index_of.size());
    auto together = Partition::whole(neighbors);
    for (const auto& leg : legs) together = together.refined(leg.axis);
    std::vector<std::vector<int>> sums;
    for (int cls = 0; cls < together.classes(); ++cls)
        sums.push_back(sum_of(grid, legs, static_cast<std::size_t>(together.first(cls))));
    std::set<std::vector<int>> hops(sums.begin(), sums.end());
    hops.erase(std::vector<int>(static_cast<std::size_t>(grid.dimensions()), 0));
    Leg leg{{}, {}, {hops.begin(), hops.end()}};
    std::vector<int> value_of(sums.size(), 0);
    for (std::size_t cls = 0; cls < sums.size(); ++cls) {
        const auto at = std::lower_bound(leg.hops.begin(), leg.hops.end(), sums[cls]);
        if (at != leg.hops.end() && *at == sums[cls])
            value_of[cls] = static_cast<int>(at - leg.hops.begin()) + 1;
    }
    std::vector<int> values;
    values.reserve(static_cast<std::size_t>(neighbors));
    for (int i = 0; i < neighbors; ++i)
        values.push_back(value_of[static_cast<std::size_t>(together.class_of(i))]);
    leg.axis = axis_of(values);
    return leg;
}

}  // namespace

std::vector<Grouping> groupings(const std::vector<Leg>& legs, Pattern pattern,
                                std::span<const std::int64_t> weights) {
    if (legs.empty() || legs.front().axis.index_of.empty()) return {};
    GroupCounts groups(legs, pattern, weights);
    if (!groups.count()) return {};
    std::vector<ByPhases> up_to(legs.size() + 1);
    up_to[0][0].emplace_back();
    for (std::size_t first = 0; first < legs.size(); ++first) {
        for (auto& [_, same_phases] : up_to[first]) {
            same_phases = thinned(std::move(same_phases));
            for (const auto& before : same_phases)
                for (auto end = first + 1; end <= legs.size(); ++end) {
                    auto grouping = before;
                    grouping.ends.push_back(end);
                    grouping.counts = before.counts + groups.of(first, end);
                    up_to[end][grouping.counts.phases].push_back(std::move(grouping));
                }
        }
    }
    std::vector<Grouping> result;
    for (auto& [_, same_phases] : up_to.back())
        for (auto& grouping : thinned(std::move(same_phases)))
            result.push_back(std::move(grouping));
    return result;
}

std::vector<Leg> grouped(const topology::Grid& grid, const std::vector<Leg>& legs,
                         const Grouping& grouping) {
    std::vector<Leg> result;
    std::size_t first = 0;
    for (const auto end : grouping.ends) {
        const auto group = std::span(legs).subspan(first, end - first);
        result.push_back(group.size() == 1 ? group.front() : merged(grid, group));
        first = end;
    }
    return result;
}

}  // namespace carpool::routing
