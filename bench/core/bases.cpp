// SPDX-License-Identifier: MIT
// Prints how much additive bases save, counted on plans: the tables of docs/measurements/basis.md.
//
//     cmake --build build/core --target bases && build/core/bench/core/bases

#include "choose/machine.hpp"
#include "choose/planner.hpp"
#include "routing/basis/additive_basis.hpp"
#include "routing/basis/basis_bound.hpp"
#include "routing/basis/vector_basis.hpp"
#include "routing/rule.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace carpool;
using routing::Pattern;
using topology::Neighborhood;

namespace {

// The defaults of src/neighbor/topology/settings.cpp.
constexpr choose::CostModel mpich{12.5e-6, 3e-9, 10e-6};
constexpr choose::CostModel open_mpi{2.3e-6, 2.5e-9, 30e-6};

constexpr double most_neighbors = 2e5;

/// No two offsets of radius 16 reach the same rank.
constexpr int ranks_per_dimension = 37;

/// The figures of a plan that the cost model needs.
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
struct Game {
    Figures direct, cartesian, basis;
};

Game game(const topology::Grid& grid, const Neighborhood& neighborhood, Pattern pattern) {
    return {figures(routing::direct, grid, neighborhood, pattern),
            figures(routing::cartesian, grid, neighborhood, pattern),
            figures(routing::basis, grid, neighborhood, pattern)};
}

void print_row(const std::string& name, const topology::Grid& grid,
               const Neighborhood& neighborhood) {
    const auto all = game(grid, neighborhood, Pattern::alltoall);
    const auto gather = game(grid, neighborhood, Pattern::allgather);
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
    int coordinates_per_radius;  // 2 if there are negative offsets too
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

// ---- vectors along any direction ----

struct Named {
    std::string name;
    Neighborhood neighborhood;
};

/// The offsets (c, c, ..) for all of the given c. If `turned`, every second component has the
/// opposite sign.
Neighborhood diagonal(int dimensions, int first, int last, bool turned = false) {
    std::vector<int> flat;
    for (int c = first; c <= last; ++c)
        for (int k = 0; c != 0 && k < dimensions; ++k)
            flat.push_back(turned && k % 2 == 1 ? -c : c);
    return {dimensions, flat};
}

Neighborhood both(const Neighborhood& a, const Neighborhood& b) {
    std::vector<int> flat(a.flat().begin(), a.flat().end());
    flat.insert(flat.end(), b.flat().begin(), b.flat().end());
    return {a.dimensions(), flat};
}

/// Random offsets within -7..7, the same on every machine.
Neighborhood random_offsets(int dimensions, int number) {
    std::mt19937 random(1);
    std::vector<int> flat;
    for (int i = 0; i < number * dimensions; ++i)
        flat.push_back(static_cast<int>(random() % 15) - 7);
    return {dimensions, flat};
}

std::vector<Named> neighborhoods_for_vectors() {
    std::vector<Named> all{
        {"(1,1) .. (7,7)", diagonal(2, 1, 7)},
        {"(-3,-3,-3) .. (3,3,3)", diagonal(3, -3, 3)},
        {"both diagonals, -3..3", both(diagonal(2, -3, 3), diagonal(2, -3, 3, true))}};
    for (const int d : {2, 3, 4, 5})
        all.push_back({"von Neumann " + std::to_string(d) + ", 1", topology::von_neumann(d, 1)});
    all.push_back({"von Neumann 3, 2", topology::von_neumann(3, 2)});
    for (const int d : {2, 3, 4})
        all.push_back({"Moore " + std::to_string(d) + ", 1", topology::moore(d, 1)});
    for (const int d : {2, 3})
        all.push_back({"Moore " + std::to_string(d) + ", 2", topology::moore(d, 2)});
    for (const int d : {2, 3})
        all.push_back({"shales " + std::to_string(d) + ", {1, 7}", shales_1_and(d, 7)});
    for (const int d : {2, 3, 5})
        for (const int t : {6, 12, 24, 100})
            all.push_back(
                {"random " + std::to_string(d) + ", " + std::to_string(t), random_offsets(d, t)});
    return all;
}

int rounds_by_dimension(const topology::Grid& grid, const Neighborhood& neighborhood) {
    int rounds = 0;
    for (int k = 0; k < grid.dimensions(); ++k) {
        std::set<int> different;
        for (int i = 0; i < neighborhood.size(); ++i)
            different.insert(grid.shortest(k, neighborhood[i][static_cast<std::size_t>(k)]));
        different.erase(0);
        std::vector<routing::Value> values;
        for (const int c : different) values.push_back({c, 1});
        std::set<std::pair<int, int>> steps;
        const auto signs = grid.periodic(k) ? routing::Signs::mixed : routing::Signs::own;
        for (const auto& of_value : routing::smallest_basis(values, signs, Pattern::alltoall))
            for (const auto& [level, hop] : of_value) steps.emplace(level, hop);
        rounds += static_cast<int>(steps.size());
    }
    return rounds;
}

/// Prints in bold what is proved to be minimal.
void print_vectors(const Named& named, int ranks, bool periodic) {
    const auto& [name, neighborhood] = named;
    const auto d = static_cast<std::size_t>(neighborhood.dimensions());
    const topology::Grid grid(std::vector<int>(d, ranks), std::vector<bool>(d, periodic));
    const auto cartesian = figures(routing::cartesian, grid, neighborhood, Pattern::alltoall);
    const auto basis = figures(routing::basis, grid, neighborhood, Pattern::alltoall);
    const auto least = routing::smallest_vector_basis(grid, neighborhood, Pattern::alltoall,
                                                      static_cast<std::size_t>(basis.rounds))
                           .least;
    const std::string bold = least ? "**" : "";
    std::cout << "| " << name << " | " << neighborhood.size() << " | "
              << routing::least_basis_size(grid, neighborhood) << " | " << cartesian.rounds << " | "
              << rounds_by_dimension(grid, neighborhood) << " | " << bold << basis.rounds << bold
              << " | " << beside(cartesian.volume, basis.volume) << " | "
              << beside(cartesian.least_phases, basis.least_phases) << " |" << std::endl;
}

void print_vectors(const std::string& where, int ranks, bool periodic) {
    std::cout << "\n### Vectors on a " << where << "\n\n"
              << "| neighborhood | t | bound | cartesian | along dimensions | basis "
                 "| alltoall volume | least phases |\n|---|---|---|---|---|---|---|---|\n";
    for (const auto& named : neighborhoods_for_vectors()) print_vectors(named, ranks, periodic);
}

// ---- all plans between direct and basis ----

/// Block sizes for which a plan costs less than all others; of equal plans the first one counts.
std::string wins_among(const choose::CostModel& model, const std::vector<Figures>& plans,
                       std::size_t number) {
    double from = 0;
    double to = std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < plans.size(); ++other) {
        const double later = latency(model, plans[number]) - latency(model, plans[other]);
        const double per_byte =
            model.beta * static_cast<double>(plans[other].volume - plans[number].volume);
        if (per_byte > 0)
            from = std::max(from, later / per_byte);
        else if (per_byte < 0)
            to = std::min(to, later / per_byte);
        else if (later > 0 || (later == 0 && other < number))
            to = -1;
    }
    const auto first = from > 0 ? static_cast<std::int64_t>(from) + 1 : 1;
    if (to < static_cast<double>(first)) return "never";
    const auto low = std::to_string(first);
    return std::isinf(to) ? low + " .."
                          : low + " .. " + std::to_string(std::llround(std::floor(to)));
}

void print_plans(const Named& named, bool periodic, schedule::Operation operation) {
    const auto& [name, neighborhood] = named;
    const auto grid = grid_of(neighborhood.dimensions(), periodic);
    choose::Planner planner(grid, neighborhood);
    auto plans = planner.automatic(operation);
    std::stable_sort(plans.begin(), plans.end(), [](const auto& a, const auto& b) {
        return a.plan().rounds() < b.plan().rounds();
    });
    std::vector<Figures> all;
    for (const auto& plan : plans)
        all.push_back({plan.plan().rounds(), plan.plan().least_phases(), plan.volume()});
    for (std::size_t i = 0; i < plans.size(); ++i)
        std::cout << "| " << (i == 0 ? name : "") << " | " << plans[i].name() << " | "
                  << all[i].rounds << " | " << all[i].least_phases << " | " << all[i].volume
                  << " | " << wins_among(mpich, all, i) << " | " << wins_among(open_mpi, all, i)
                  << " |" << std::endl;
}

void print_trade_off() {
    const std::array radii{3, 7};
    std::cout << "\n### Between direct and basis, alltoall\n\n"
              << "| neighborhood | plan | rounds | phases | volume | cheapest, MPICH "
                 "| cheapest, Open MPI |\n|---|---|---|---|---|---|---|\n";
    for (const auto& named :
         {Named{"Moore 3, 1", topology::moore(3, 1)}, Named{"Moore 3, 3", topology::moore(3, 3)},
          Named{"Moore 5, 1", topology::moore(5, 1)},
          Named{"shales 3, {3, 7}", topology::shales(3, radii)},
          Named{"von Neumann 3, 2", topology::von_neumann(3, 2)},
          Named{"(1,1) .. (7,7)", diagonal(2, 1, 7)}})
        print_plans(named, true, schedule::Operation::alltoall);
    print_plans({"Moore 3, 3 on a mesh", topology::moore(3, 3)}, false,
                schedule::Operation::alltoall);
    print_plans({"shales 3, {3, 7}, allgather", topology::shales(3, radii)}, true,
                schedule::Operation::allgather);
}

}  // namespace

/// A positive octant has the same plans on a mesh except for their phases, so it has one table.
int main() {
    for (const auto& family : families)
        for (const bool periodic : {true, false})
            if (periodic || family.coordinates_per_radius == 2) print_table(family, periodic);
    print_vectors("torus of 37 ranks per dimension", ranks_per_dimension, true);
    print_vectors("torus of 5 ranks per dimension", 5, true);
    print_vectors("mesh", ranks_per_dimension, false);
    print_trade_off();
}
