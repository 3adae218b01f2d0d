// SPDX-License-Identifier: MIT
#include "routing/basis/halving.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

using Offset = OffsetSpace::Offset;
using Points = std::vector<Offset>;  // ascending

constexpr std::size_t steps_tried = 8;             // per state
constexpr std::size_t widest_beam = 8;             // states kept
constexpr std::size_t points_per_level = 1 << 12;  // looked at, unless one state has more
constexpr std::size_t most_points = 1 << 15;       // on all levels
constexpr std::size_t pairs_per_state = 1 << 10;
constexpr std::size_t fewest_anchors = 8;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t index_of(const Points& points, Offset point) {
    const auto found = std::lower_bound(points.begin(), points.end(), point);
    return found != points.end() && *found == point
               ? static_cast<std::size_t>(found - points.begin())
               : nowhere;
}

/// The number of points from which the steps to all others are counted.
std::size_t anchors_of(std::size_t points) {
    return std::min(points, std::max(fewest_anchors, pairs_per_state / points));
}

std::size_t looked_at(std::size_t points) { return (anchors_of(points) + steps_tried) * points; }

/// Steps between points, the most frequent first. If there are many points, only some pairs are
/// compared.
Points common_steps(const OffsetSpace& space, const Points& points) {
    const auto anchors = anchors_of(points.size());
    Points steps;
    steps.reserve(anchors * points.size());
    for (std::size_t a = 0; a < anchors; ++a) {
        const auto from = points[a * points.size() / anchors];
        for (const auto to : points) {
            const auto step = space.minus(to, from);
            const auto back = space.minus(from, to);
            if (step == 0 || !space.agree(from, step)) continue;
            steps.push_back(space.agree(to, back) ? std::max(step, back) : step);
        }
    }
    std::sort(steps.begin(), steps.end());
    std::vector<std::pair<std::size_t, Offset>> counted;  // ascending: the most frequent first
    for (auto first = steps.begin(); first != steps.end();) {
        const auto last = std::upper_bound(first, steps.end(), *first);
        counted.emplace_back(steps.size() - static_cast<std::size_t>(last - first), *first);
        first = last;
    }
    const auto kept = std::min(counted.size(), steps_tried);
    std::partial_sort(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(kept),
                      counted.end());
    Points common;
    for (std::size_t i = 0; i < kept; ++i) common.push_back(counted[i].second);
    return common;
}

/// Per point, whether the step is subtracted from it, as it is from every second point of a chain.
std::vector<bool> that_take(const OffsetSpace& space, const Points& points, Offset step) {
    std::vector<std::size_t> next(points.size(), nowhere);
    std::vector<bool> follows(points.size(), false);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!space.agree(points[i], step)) continue;
        next[i] = index_of(points, space.plus(points[i], step));
        if (next[i] != nowhere) follows[next[i]] = true;
    }
    std::vector<bool> takes(points.size(), false);
    std::vector<bool> seen(points.size(), false);
    const auto walk = [&](std::size_t at) {
        for (bool take = false; at != nowhere && !seen[at]; at = next[at], take = !take) {
            seen[at] = true;
            takes[at] = take;
        }
    };
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!follows[i]) walk(i);
    for (std::size_t i = 0; i < points.size(); ++i) walk(i);  // chains that are closed
    return takes;
}

struct State {
    Points points;
    Points steps;  // subtracted so far
};

State without(const OffsetSpace& space, const State& state, Offset step) {
    const auto takes = that_take(space, state.points, step);
    State rest{{}, state.steps};
    for (std::size_t i = 0; i < takes.size(); ++i)
        if (!takes[i]) rest.points.push_back(state.points[i]);
    rest.steps.push_back(step);
    return rest;
}

/// Removes states with the points of another state, and keeps those with the fewest points.
void thin_out(std::vector<State>& states) {
    std::stable_sort(states.begin(), states.end(), [](const State& a, const State& b) {
        return a.points.size() != b.points.size() ? a.points.size() < b.points.size()
                                                  : a.points < b.points;
    });
    const auto alike = [](const State& a, const State& b) { return a.points == b.points; };
    states.erase(std::unique(states.begin(), states.end(), alike), states.end());
    if (states.empty()) return;
    const auto width = std::clamp<std::size_t>(
        points_per_level / (steps_tried * states.front().points.size()), 1, widest_beam);
    if (states.size() > width) states.resize(width);
}

/// Subtracts the same steps again and records from which targets; negates the steps that are
/// subtracted from zero.
void offer(const OffsetSpace& space, const Targets& targets, const State& state, Points points,
           VectorChoice& choice) {
    Points rest = targets.offsets;
    rest.push_back(0);
    std::vector<StepSet> sets(rest.size(), 0);
    for (std::size_t s = 0; s < state.steps.size(); ++s) {
        const auto takes = that_take(space, points, state.steps[s]);
        for (std::size_t i = 0; i < rest.size(); ++i) {
            if (!takes[index_of(points, rest[i])]) continue;
            rest[i] = space.minus(rest[i], state.steps[s]);
            sets[i] |= StepSet{1} << s;
        }
        Points left;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (!takes[i]) left.push_back(points[i]);
        points = std::move(left);
    }
    const auto of_zero = sets.back();
    sets.pop_back();
    for (auto& set : sets) set ^= of_zero;
    auto steps = state.steps;
    for (std::size_t s = 0; s < steps.size(); ++s)
        if ((of_zero >> s & 1) != 0) steps[s] = space.minus(0, steps[s]);
    choice.offer(std::move(steps), sets);
}

}  // namespace

void offer_by_halving(const OffsetSpace& space, const Targets& targets, std::size_t most_steps,
                      VectorChoice& choice) {
    Points all = targets.offsets;
    all.insert(std::lower_bound(all.begin(), all.end(), 0), 0);
    std::vector<State> states{{all, {}}};
    std::size_t points = 0;
    for (auto left = std::min(most_steps, most_steps_in_set); left > 0 && !states.empty(); --left) {
        std::vector<State> next;
        for (const auto& state : states) {
            points += looked_at(state.points.size());
            if (points > most_points) return;
            for (const auto step : common_steps(space, state.points)) {
                auto rest = without(space, state, step);
                if (rest.points.size() <= std::size_t{1} << (left - 1))
                    next.push_back(std::move(rest));
            }
        }
        thin_out(next);
        states = std::move(next);
        if (states.empty() || states.front().points.size() > 1) continue;
        for (const auto& state : states)
            if (state.points.size() == 1) offer(space, targets, state, all, choice);
        return;
    }
}

}  // namespace carpool::routing
