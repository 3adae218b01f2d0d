// SPDX-License-Identifier: MIT
#include "routing/arrangement.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

/// Takes numbers from the engine directly: the standard's distributions differ between
/// implementations, its engines do not.
Arrangement shuffled(int ranks, int number) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(number));
    Arrangement places{std::vector<int>(static_cast<std::size_t>(ranks)), {}};
    std::iota(places.place_of.begin(), places.place_of.end(), 0);
    for (auto last = places.place_of.size(); last > 1; --last)
        std::swap(places.place_of[last - 1], places.place_of[engine() % last]);
    places.rank_at.resize(places.place_of.size());
    for (int rank = 0; rank < ranks; ++rank)
        places.rank_at[static_cast<std::size_t>(places.place(rank))] = rank;
    return places;
}

}  // namespace

std::shared_ptr<const Arrangement> arrangement_of(int ranks, int number) {
    return number == 0 ? nullptr : std::make_shared<const Arrangement>(shuffled(ranks, number));
}

NextHop arranged(NextHop next_hop, std::shared_ptr<const Arrangement> places) {
    if (!places) return next_hop;
    const int phases = next_hop.phases;
    return {phases, [next = std::move(next_hop.next), places = std::move(places)](int phase, int at,
                                                                                  int target) {
                return places->rank(next(phase, places->place(at), places->place(target)));
            }};
}

}  // namespace carpool::routing
