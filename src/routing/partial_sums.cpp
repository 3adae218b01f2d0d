// SPDX-License-Identifier: MIT
#include "routing/partial_sums.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace carpool::routing {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The terms of a sum; stops whose recipes are equal share the sum.
struct Recipe {
    std::vector<int> positions;
    std::vector<PartialSums::Move> arrivals;
    friend auto operator<=>(const Recipe&, const Recipe&) = default;
};

std::vector<Recipe> with_own_blocks(const Plan& tree, PartialSums::Blocks blocks) {
    std::vector<Recipe> recipes(index(tree.stops()));
    for (const auto& [stop, position] : tree.deliveries())
        recipes[index(stop)].positions.push_back(blocks == PartialSums::Blocks::one ? 0 : position);
    for (auto& recipe : recipes) std::sort(recipe.positions.begin(), recipe.positions.end());
    return recipes;
}

}  // namespace

/// A move of the tree leads to a stop with a higher number, so in descending order all terms of a
/// stop are known when it is reached.
PartialSums::PartialSums(const Plan& tree, Blocks blocks)
    : sum_of_stop_(index(tree.stops())), move_of_stop_(index(tree.stops()), -1) {
    const auto round_of_stops = tree.round_of_stops();
    auto recipes = with_own_blocks(tree, blocks);
    std::map<Recipe, int> known;
    for (int stop = tree.stops() - 1; stop >= 0; --stop) {
        auto& recipe = recipes[index(stop)];
        std::sort(recipe.arrivals.begin(), recipe.arrivals.end());
        const auto sum = known.try_emplace(recipe, static_cast<int>(known.size())).first->second;
        sum_of_stop_[index(stop)] = sum;
        if (!tree.is_origin(stop))
            recipes[index(tree.from(stop))].arrivals.push_back({round_of_stops[index(stop)], sum});
    }
    number_moves(round_of_stops);
    sums_.resize(known.size());
    for (const auto& [recipe, number] : known) {
        auto& sum = sums_[index(number)];
        sum.positions = recipe.positions;
        for (const auto& move : recipe.arrivals) sum.arrivals.push_back(number_of(move));
    }
}

void PartialSums::number_moves(const std::vector<int>& round_of_stops) {
    for (std::size_t stop = 1; stop < round_of_stops.size(); ++stop)
        moves_.push_back({round_of_stops[stop], sum_of_stop_[stop]});
    std::sort(moves_.begin(), moves_.end());
    moves_.erase(std::unique(moves_.begin(), moves_.end()), moves_.end());
    for (std::size_t stop = 1; stop < round_of_stops.size(); ++stop)
        move_of_stop_[stop] = number_of({round_of_stops[stop], sum_of_stop_[stop]});
}

int PartialSums::number_of(const Move& move) const {
    return static_cast<int>(std::lower_bound(moves_.begin(), moves_.end(), move) - moves_.begin());
}

}  // namespace carpool::routing
