// What additive bases save, counted on plans and not measured: prints the tables of docs/basis.md.
//
//     cmake --build build/core --target bases && build/core/bench/core/bases

#include "choose/machine.hpp"
#include "routing/rule.hpp"
#include "topology/stencils.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

using namespace carpool;
using routing::Pattern;
using topology::Neighborhood;

namespace {

// The defaults of src/neighbor/settings.cpp.
constexpr choose::CostModel mpich{12.5e-6, 3e-9, 10e-6};
constexpr choose::CostModel open_mpi{2.3e-6, 2.5e-9, 30e-6};

constexpr double most_neighbors = 2e5;

/// No two offsets of radius 16 reach the same rank.
constexpr int ranks_per_dimension = 37;

/// What the cost model asks of a plan.
struct Figures {
    int rounds, least_phases;
    std::int64_t volume;
};

Figures figures(const routing::Rule& rule, const topology::Grid& grid,
                const Neighborhood& neighborhood, Pattern pattern) {
    const auto plan = rule.plan(grid, neighborhood, pattern);
    return {plan.rounds(), plan.least_phases(), plan.volume()};
}

double latency(const choose::CostModel& model, const Figures& plan) {
    return model.alpha * plan.rounds + model.sigma * plan.least_phases;
}

bool are_alike(const Figures& a, const Figures& b) {
    return a.rounds == b.rounds && a.least_phases == b.least_phases && a.volume == b.volume;
}

/// Block sizes in bytes for which a plan costs less than another.
std::string wins_while(const choose::CostModel& model, const Figures& plan, const Figures& other) {
    const double saved = latency(model, other) - latency(model, plan);
    const auto more = plan.volume - other.volume;
    if (more == 0) return saved > 0 ? "always" : "never";
    const auto bytes = std::llround(saved / (model.beta * static_cast<double>(more)));
    if (more > 0) return saved > 0 ? "≤ " + std::to_string(bytes) : "never";
    return saved >= 0 ? "always" : "> " + std::to_string(bytes);
}

std::string wins_while(const Figures& plan, const Figures& other) {
    if (are_alike(plan, other)) return "alike";
    return wins_while(mpich, plan, other) + " / " + wins_while(open_mpi, plan, other);
}

std::string beside(std::int64_t cartesian, std::int64_t basis) {
    return std::to_string(cartesian) + " → " + std::to_string(basis);
}

/// The three rules on one stencil.
struct Contest {
    Figures direct, cartesian, basis;
};

Contest contest(const topology::Grid& grid, const Neighborhood& neighborhood, Pattern pattern) {
    return {figures(routing::direct, grid, neighborhood, pattern),
            figures(routing::cartesian, grid, neighborhood, pattern),
            figures(routing::basis, grid, neighborhood, pattern)};
}

void print_row(const std::string& name, const topology::Grid& grid,
               const Neighborhood& neighborhood) {
    const auto all = contest(grid, neighborhood, Pattern::alltoall);
    const auto gather = contest(grid, neighborhood, Pattern::allgather);
    std::cout << "| " << name << " | " << neighborhood.size() << " | "
              << beside(all.cartesian.rounds, all.basis.rounds) << " | "
              << beside(all.cartesian.least_phases, all.basis.least_phases) << " | "
              << beside(all.cartesian.volume, all.basis.volume) << " | "
              << wins_while(all.basis, all.cartesian) << " | " << wins_while(all.basis, all.direct)
              << " | " << beside(gather.cartesian.volume, gather.basis.volume) << " | "
              << wins_while(gather.basis, gather.cartesian) << " | "
              << wins_while(gather.basis, gather.direct) << " |" << std::endl;
}

struct Family {
    std::string name;
    Neighborhood (*of)(int dimensions, int radius);
    int coordinates_per_radius;  // 2 if there are negative ones
};

Neighborhood shales_1_and(int dimensions, int radius) {
    const std::array radii{1, radius};
    return topology::shales(dimensions, radii);
}

const std::array families{Family{"Moore", topology::moore, 2},
                          Family{"Shales {1, r}", shales_1_and, 2},
                          Family{"Positive octant", topology::positive_octant, 1}};

const std::array<std::vector<int>, 5> radii_by_dimension{
    {{2, 3, 4, 7, 8, 15, 16}, {1, 2, 3, 7, 16}, {1, 2, 3, 7, 16}, {1, 2, 3, 7}, {1, 2, 3}}};

topology::Grid grid_of(int dimensions, bool periodic) {
    const auto d = static_cast<std::size_t>(dimensions);
    return {std::vector<int>(d, ranks_per_dimension), std::vector<bool>(d, periodic)};
}

void print_table(const Family& family, bool periodic) {
    std::cout << "\n### " << family.name << " on a " << (periodic ? "torus" : "mesh") << "\n\n"
              << "| d, r | t | rounds | least phases | alltoall volume | beats cartesian "
                 "| beats direct | allgather volume | beats cartesian | beats direct |\n"
              << "|---|---|---|---|---|---|---|---|---|---|\n";
    for (int d = 1; d <= 5; ++d) {
        for (const int r : radii_by_dimension[static_cast<std::size_t>(d - 1)]) {
            if (std::pow(family.coordinates_per_radius * r + 1, d) > most_neighbors) continue;
            print_row(std::to_string(d) + ", " + std::to_string(r), grid_of(d, periodic),
                      family.of(d, r));
        }
    }
}

}  // namespace

/// Positive octants are the same on a mesh but for their phases, so they have one table.
int main() {
    for (const auto& family : families)
        for (const bool periodic : {true, false})
            if (periodic || family.coordinates_per_radius == 2) print_table(family, periodic);
}
