// SPDX-License-Identifier: MIT
#pragma once

#include "routing/rule.hpp"
#include "schedule/expected.hpp"
#include "schedule/place.hpp"
#include "schedule/verify.hpp"
#include "topology/grid.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

/// One exchange on a grid, by any rule.
struct Exchange {
    carpool::topology::Grid grid;
    carpool::topology::Neighborhood neighborhood;
    carpool::routing::Pattern pattern;
    std::vector<std::int64_t> block_bytes;

    std::vector<carpool::schedule::Schedule> placed(const carpool::routing::Plan& plan) const {
        std::vector<carpool::schedule::Schedule> schedules;
        for (int rank = 0; rank < grid.size(); ++rank)
            schedules.push_back(
                carpool::schedule::place(plan, grid, neighborhood, rank, block_bytes));
        return schedules;
    }

    std::vector<carpool::schedule::Schedule> schedules(const carpool::routing::Rule& rule) const {
        return placed(rule.plan(grid, neighborhood, pattern));
    }

    carpool::schedule::Postcondition expected() const {
        return carpool::schedule::expected(pattern, grid, neighborhood, block_bytes);
    }

    std::vector<std::string> complaints(const carpool::routing::Rule& rule) const {
        return carpool::schedule::verify(schedules(rule), expected());
    }
};

inline std::vector<std::int64_t> equal_blocks(const carpool::topology::Neighborhood& neighborhood,
                                              carpool::routing::Pattern pattern,
                                              std::int64_t bytes) {
    const bool alltoall = pattern == carpool::routing::Pattern::alltoall;
    return std::vector<std::int64_t>(alltoall ? static_cast<std::size_t>(neighborhood.size()) : 1,
                                     bytes);
}

inline constexpr carpool::routing::Pattern patterns[] = {carpool::routing::Pattern::alltoall,
                                                         carpool::routing::Pattern::allgather};

inline const char* name_of(carpool::routing::Pattern pattern) {
    return pattern == carpool::routing::Pattern::alltoall ? "alltoall" : "allgather";
}

inline std::string described(const Exchange& exchange) {
    std::ostringstream out;
    out << name_of(exchange.pattern) << " on ";
    for (int k = 0; k < exchange.grid.dimensions(); ++k)
        out << exchange.grid.dim(k) << (exchange.grid.periodic(k) ? "p " : "m ");
    out << "offsets";
    for (const int c : exchange.neighborhood.flat()) out << ' ' << c;
    out << " bytes";
    for (const auto bytes : exchange.block_bytes) out << ' ' << bytes;
    return out.str();
}

inline std::string joined(const std::vector<std::string>& complaints) {
    std::string text = std::to_string(complaints.size()) + " complaints:";
    for (const auto& complaint : complaints) text += "\n  " + complaint;
    return text;
}
