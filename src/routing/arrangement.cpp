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

struct Places {
    std::vector<int> place_of;  // by rank
    std::vector<int> rank_at;   // by place

    int place(int rank) const { return place_of[static_cast<std::size_t>(rank)]; }
    int rank(int place) const { return rank_at[static_cast<std::size_t>(place)]; }
};

/// Takes numbers from the engine directly: the standard's distributions differ between
/// implementations, its engines do not.
Places shuffled(int ranks, int arrangement) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(arrangement));
    Places places{std::vector<int>(static_cast<std::size_t>(ranks)), {}};
    std::iota(places.place_of.begin(), places.place_of.end(), 0);
    for (auto last = places.place_of.size(); last > 1; --last)
        std::swap(places.place_of[last - 1], places.place_of[engine() % last]);
    places.rank_at.resize(places.place_of.size());
    for (int rank = 0; rank < ranks; ++rank)
        places.rank_at[static_cast<std::size_t>(places.place(rank))] = rank;
    return places;
}

}  // namespace

NextHop arranged(NextHop next_hop, int ranks, int arrangement) {
    if (arrangement == 0) return next_hop;
    const int phases = next_hop.phases;
    return {phases, [next = std::move(next_hop.next),
                     places = std::make_shared<const Places>(shuffled(ranks, arrangement))](
                        int phase, int at, int target) {
                return places->rank(next(phase, places->place(at), places->place(target)));
            }};
}

}  // namespace carpool::routing
