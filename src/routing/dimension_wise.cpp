// SPDX-License-Identifier: MIT
#include "routing/dimension_wise.hpp"

#include "routing/axis.hpp"
#include "routing/dimension_order.hpp"
#include "routing/partition.hpp"

#include <map>
#include <numeric>
#include <utility>

namespace carpool::routing {
namespace {

using Bucket = std::vector<int>;  // classes

/// The rounds of one leg by level, then hop, each with the values whose blocks it carries.
using RoundsOfLeg = std::map<std::pair<int, int>, std::vector<std::size_t>>;

RoundsOfLeg rounds_of(const Axis& axis, const Split& split) {
    RoundsOfLeg rounds;
    for (std::size_t value = 0; value < axis.values.size(); ++value)
        for (const Step& step : split(axis.values[value]))
            rounds[{step.level, step.hop}].push_back(value);
    return rounds;
}

std::vector<Bucket> classes_by_value(const Partition& partition, const Axis& axis) {
    std::vector<Bucket> buckets(axis.values.size());
    for (int cls = 0; cls < partition.classes(); ++cls) {
        const auto first = static_cast<std::size_t>(partition.first(cls));
        buckets[static_cast<std::size_t>(axis.index_of[first])].push_back(cls);
    }
    return buckets;
}

/// Carries all blocks of one rank from leg to leg.
class PlanBuilder {
public:
    PlanBuilder(int dimensions, int neighbors, Pattern pattern)
        : neighbors_(neighbors),
          pattern_(pattern),
          plan_(dimensions, pattern == Pattern::alltoall ? neighbors_ : 1),
          partition_(pattern == Pattern::alltoall ? Partition::singletons(neighbors_)
                                                  : Partition::whole(neighbors_)),
          at_(static_cast<std::size_t>(partition_.classes())) {
        std::iota(at_.begin(), at_.end(), 0);
    }

    void travel(const Leg& leg, const Split& split) {
        branch(leg.axis);
        const auto buckets = classes_by_value(partition_, leg.axis);
        const int base = plan_.phases();
        for (const auto& [step, values] : rounds_of(leg.axis, split)) {
            plan_.add_round(base + step.first, leg.hop(step.second));
            for (const auto value : values) move(buckets[value]);
        }
    }

    Plan arrive() && {
        for (int i = 0; i < neighbors_; ++i) plan_.deliver(at(partition_.class_of(i)), i);
        return std::move(plan_);
    }

private:
    int& at(int cls) { return at_[static_cast<std::size_t>(cls)]; }

    /// For an allgather, adds a level to the tree: new classes start where their parent class
    /// rests.
    void branch(const Axis& axis) {
        if (pattern_ == Pattern::alltoall) return;
        auto finer = partition_.refined(axis);
        std::vector<int> start(static_cast<std::size_t>(finer.classes()));
        for (int cls = 0; cls < finer.classes(); ++cls)
            start[static_cast<std::size_t>(cls)] = at(partition_.class_of(finer.first(cls)));
        partition_ = std::move(finer);
        at_ = std::move(start);
    }

    void move(const Bucket& classes) {
        for (const int cls : classes) at(cls) = plan_.add_move(at(cls));
    }

    int neighbors_;
    Pattern pattern_;
    Plan plan_;
    Partition partition_;
    std::vector<int> at_;  // per class, the stop where its block rests
};

std::vector<int> order_of(const std::vector<Leg>& legs, Pattern pattern, const Split& split) {
    std::vector<int> natural(legs.size());
    std::iota(natural.begin(), natural.end(), 0);
    // The volume of alltoall is the same in any order ([2] §3.4).
    if (pattern == Pattern::alltoall || legs.empty()) return natural;
    std::vector<Axis> axes;
    for (const auto& leg : legs) axes.push_back(leg.axis);
    return least_volume_order(axes, split);
}

}  // namespace

std::vector<int> Leg::hop(int value) const {
    if (!hops.empty()) return hops[static_cast<std::size_t>(value - 1)];
    auto vector = direction;
    for (int& component : vector) component *= value;
    return vector;
}

Plan plan_along(const std::vector<Leg>& legs, int dimensions, int neighbors, Pattern pattern,
                const Split& split) {
    PlanBuilder route(dimensions, neighbors, pattern);
    for (const int next : order_of(legs, pattern, split))
        route.travel(legs[static_cast<std::size_t>(next)], split);
    return std::move(route).arrive();
}

Plan plan_dimension_wise(const topology::Neighborhood& neighborhood, Pattern pattern,
                         const Split& split) {
    std::vector<Leg> legs;
    for (int k = 0; k < neighborhood.dimensions(); ++k)
        legs.push_back({unit_vector(neighborhood.dimensions(), k), axis_of(neighborhood, k)});
    return plan_along(legs, neighborhood.dimensions(), neighborhood.size(), pattern, split);
}

std::vector<int> unit_vector(int dimensions, int dimension) {
    std::vector<int> direction(static_cast<std::size_t>(dimensions), 0);
    direction[static_cast<std::size_t>(dimension)] = 1;
    return direction;
}

std::vector<Step> one_hop(int coordinate) {
    if (coordinate == 0) return {};
    return {{0, coordinate}};
}

}  // namespace carpool::routing
