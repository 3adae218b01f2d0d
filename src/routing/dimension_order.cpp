// SPDX-License-Identifier: MIT
#include "routing/dimension_order.hpp"

#include "routing/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace carpool::routing {
namespace {

/// The search is quick enough for up to 6 dimensions, and for small neighborhoods for up to 12.
bool searchable(const std::vector<Axis>& axes) {
    constexpr std::size_t most_visits = 1 << 18;
    return axes.size() <= 6 ||
           (axes.size() <= 12 && axes.front().index_of.size() << axes.size() <= most_visits);
}

/// The moves of each tree level, for every set of dimensions (a bit mask) and its last dimension.
class LevelMoves {
public:
    LevelMoves(const std::vector<Axis>& axes, const Split& split) : axes_(axes) {
        for (const auto& axis : axes) {
            auto& steps = steps_.emplace_back();
            for (const int value : axis.values)
                steps.push_back(static_cast<int>(split(value).size()));
        }
        moves_.resize((std::size_t{1} << axes.size()) * axes.size());
        const auto neighbors = static_cast<int>(axes.front().index_of.size());
        visit(Partition::whole(neighbors), 0, 0);
    }

    std::int64_t operator()(std::size_t set, std::size_t last) const {
        return moves_[set * axes_.size() + last];
    }

private:
    /// Counts the classes of a set, then of all sets that add dimensions from `next` on.
    void visit(const Partition& partition, std::size_t set, std::size_t next) {
        for (std::size_t k = 0; k < axes_.size(); ++k) {
            if ((set >> k & 1) == 0) continue;
            auto& sum = moves_[set * axes_.size() + k];
            for (int cls = 0; cls < partition.classes(); ++cls) {
                const auto first = static_cast<std::size_t>(partition.first(cls));
                sum += steps_[k][static_cast<std::size_t>(axes_[k].index_of[first])];
            }
        }
        for (std::size_t k = next; k < axes_.size(); ++k)
            visit(partition.refined(axes_[k]), set | std::size_t{1} << k, k + 1);
    }

    const std::vector<Axis>& axes_;
    std::vector<std::vector<int>> steps_;  // per dimension and distinct coordinate
    std::vector<std::int64_t> moves_;
};

/// The shortest path from the empty set to all dimensions, with one dimension per step.
std::vector<int> searched_order(const std::vector<Axis>& axes, const Split& split) {
    const auto d = axes.size();
    const LevelMoves moves(axes, split);
    const auto sets = std::size_t{1} << d;
    std::vector<std::int64_t> least(sets, std::numeric_limits<std::int64_t>::max());
    std::vector<std::size_t> last(sets, 0);
    least[0] = 0;
    for (std::size_t set = 1; set < sets; ++set) {
        for (std::size_t k = 0; k < d; ++k) {
            if ((set >> k & 1) == 0) continue;
            const auto cost = least[set ^ std::size_t{1} << k] + moves(set, k);
            if (cost > least[set]) continue;  // at equal cost the highest dimension comes last
            least[set] = cost;
            last[set] = k;
        }
    }
    std::vector<int> order(d);
    for (std::size_t set = sets - 1, at = d; at-- > 0; set ^= std::size_t{1} << last[set])
        order[at] = static_cast<int>(last[set]);
    return order;
}

std::vector<int> order_by_distinct_values(const std::vector<Axis>& axes) {
    std::vector<int> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&axes](int a, int b) {
        return nonzero_values(axes[static_cast<std::size_t>(a)]) <
               nonzero_values(axes[static_cast<std::size_t>(b)]);
    });
    return order;
}

}  // namespace

std::vector<int> least_volume_order(const std::vector<Axis>& axes, const Split& split) {
    return searchable(axes) ? searched_order(axes, split) : order_by_distinct_values(axes);
}

}  // namespace carpool::routing
