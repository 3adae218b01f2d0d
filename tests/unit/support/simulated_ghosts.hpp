// SPDX-License-Identifier: MIT
#pragma once

#include "../../graphs/random_ghosts.hpp"
#include "exchange.hpp"
#include "ghosts/ghost_map.hpp"
#include "random_nodes.hpp"
#include "random_source.hpp"
#include "routing/rule.hpp"
#include "routing/simulation.hpp"
#include "schedule/place_itinerary.hpp"
#include "schedule/place_reduction.hpp"
#include "schedule/verify.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

/// The exchanges of a map of ghosts: all ranks in one process.
class SimulatedGhosts {
public:
    explicit SimulatedGhosts(const GhostSets& sets) : sets_(sets) {
        const auto simulated = carpool::routing::simulate<
            std::variant<carpool::ghosts::GhostMap, carpool::ghosts::NoSuchEntry>>(
            sets.ranks(), [&](int rank) {
                const auto r = static_cast<std::size_t>(rank);
                return carpool::ghosts::find_map(sets.owned[r], {sets.owners[r], sets.indices[r]});
            });
        for (const auto& result : simulated.results)
            maps_.push_back(std::get<carpool::ghosts::GhostMap>(result));
    }

    const carpool::ghosts::GhostMap& map(int rank) const {
        return maps_[static_cast<std::size_t>(rank)];
    }
    carpool::ghosts::GhostMap& map(int rank) { return maps_[static_cast<std::size_t>(rank)]; }

    /// What is wrong in the maps: every ghost must stand at one place, for its entry.
    std::vector<std::string> faults() const {
        std::vector<std::string> faults;
        for (int rank = 0; rank < sets_.ranks(); ++rank) {
            if (!lengths_agree(rank)) {
                faults.push_back("rank " + std::to_string(rank) + ": a block has another length");
                continue;
            }
            auto expected = ghosts_of(rank);
            auto found = found_at(rank);
            std::ranges::sort(expected);
            std::ranges::sort(found);
            if (found != expected) faults.push_back("rank " + std::to_string(rank) + " differs");
        }
        return faults;
    }

    struct Routes {
        std::vector<carpool::routing::Itinerary> itineraries;
        int phases = 0;
    };

    Routes routed(const carpool::routing::Rule& rule, const carpool::routing::RouteOptions& options,
                  const carpool::topology::Nodes* nodes) const {
        Routes routes;
        routes.itineraries =
            carpool::routing::simulate<carpool::routing::Itinerary>(sets_.ranks(), [&](int rank) {
                return rule.route(
                    {rank, sets_.ranks(), &map(rank).edges, options, &map(rank).entries, nodes},
                    carpool::routing::Pattern::multicast);
            }).results;
        for (const auto& one : routes.itineraries)
            routes.phases = std::max(routes.phases, one.phases());
        return routes;
    }

    std::vector<carpool::schedule::Schedule> updates(const Routes& routes) const {
        std::vector<carpool::schedule::Schedule> schedules;
        for (int rank = 0; rank < sets_.ranks(); ++rank)
            schedules.push_back(carpool::schedule::place_sized(
                routes.itineraries[static_cast<std::size_t>(rank)], positions(rank)));
        return schedules;
    }

    std::vector<carpool::schedule::Schedule> reductions(
        const Routes& routes, carpool::schedule::SummandOrder summing) const {
        std::vector<carpool::schedule::Schedule> schedules;
        for (int rank = 0; rank < sets_.ranks(); ++rank)
            schedules.push_back(carpool::schedule::place_reduction(
                routes.itineraries[static_cast<std::size_t>(rank)], rank, positions(rank),
                routes.phases, summing));
        return schedules;
    }

    carpool::schedule::Postcondition expected_update() const {
        carpool::schedule::Postcondition all;
        for (const auto& map : maps_) {
            auto& here = all.emplace_back();
            for (std::size_t i = 0; i < map.edges.in.size(); ++i)
                here.emplace_back(carpool::schedule::Origin{
                    map.edges.in[i].peer, map.edges.in[i].label, map.entries.in[i]});
        }
        return all;
    }

    /// The own block first, then those of the ranks, ascending.
    carpool::schedule::Postcondition expected_reduction() const {
        carpool::schedule::Postcondition all;
        for (int rank = 0; rank < sets_.ranks(); ++rank) {
            auto& here = all.emplace_back();
            for (std::size_t k = 0; k < map(rank).sent.size(); ++k)
                here.push_back(expected_sum(rank, static_cast<int>(k)));
        }
        return all;
    }

private:
    using Ghost = std::tuple<std::int64_t, int, std::int64_t>;  // position, owner, index

    int positions(int rank) const { return static_cast<int>(map(rank).edges.in.size()); }

    std::vector<Ghost> ghosts_of(int rank) const {
        const auto r = static_cast<std::size_t>(rank);
        std::vector<Ghost> ghosts;
        for (std::size_t i = 0; i < sets_.owners[r].size(); ++i)
            ghosts.emplace_back(static_cast<std::int64_t>(i), sets_.owners[r][i],
                                sets_.indices[r][i]);
        return ghosts;
    }

    /// Whether each block that arrives has as many entries as it is told.
    bool lengths_agree(int rank) const {
        const auto& here = map(rank);
        for (std::size_t i = 0; i < here.edges.in.size(); ++i) {
            const auto& [owner, label] = here.edges.in[i];
            const auto sent = map(owner).sent[static_cast<std::size_t>(label)].size();
            if (here.received[i].size() != sent || here.entries.in[i] != std::int64_t(sent))
                return false;
        }
        return true;
    }

    /// What arrives by the map, entry by entry. @pre lengths_agree()
    std::vector<Ghost> found_at(int rank) const {
        const auto& here = map(rank);
        std::vector<Ghost> ghosts;
        for (std::size_t i = 0; i < here.edges.in.size(); ++i) {
            const auto& [owner, label] = here.edges.in[i];
            const auto sent = map(owner).sent[static_cast<std::size_t>(label)];
            for (std::size_t e = 0; e < sent.size(); ++e)
                ghosts.emplace_back(here.received[i][e], owner, sent[e]);
        }
        return ghosts;
    }

    carpool::schedule::Content expected_sum(int rank, int label) const {
        const auto entries = std::ssize(map(rank).sent[static_cast<std::size_t>(label)]);
        carpool::schedule::Content sum(
            carpool::schedule::Origin{rank, positions(rank) + label, entries});
        for (int other = 0; other < sets_.ranks(); ++other) {
            const auto& in = map(other).edges.in;
            for (std::size_t i = 0; i < in.size(); ++i)
                if (in[i].peer == rank && in[i].label == label)
                    sum.add(carpool::schedule::Origin{other, static_cast<int>(i), entries});
        }
        return sum;
    }

    const GhostSets& sets_;
    std::vector<carpool::ghosts::GhostMap> maps_;
};

inline GhostSets random_ghosts(RandomSource& random, int most_ranks) {
    const auto& shapes = ghost_shapes();
    const auto shape =
        shapes[static_cast<std::size_t>(random.between(0, static_cast<int>(shapes.size()) - 1))];
    return random_ghosts(shape, random.between(1, most_ranks),
                         [&](int low, int high) { return random.between(low, high); });
}
