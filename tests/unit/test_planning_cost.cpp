// SPDX-License-Identifier: MIT
// program: own
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "topology/stencils.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <new>
#include <vector>

using namespace carpool;
using routing::Pattern;

namespace {

std::int64_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {  // for std::stable_sort
    ++allocations;
    return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

struct Cost {
    std::int64_t allocations;
    double milliseconds;  ///< median CPU time of this thread, as the machine has other work
};

template <typename Work>
Cost cost_of(Work work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    };
    std::vector<double> times(5);
    std::int64_t allocated = 0;
    for (auto& time : times) {
        const auto allocations_before = allocations;
        const auto before = now();
        work();
        time = now() - before;
        allocated = allocations - allocations_before;
    }
    std::sort(times.begin(), times.end());
    return {allocated, times[times.size() / 2]};
}

topology::Grid grid_of(int dimensions, bool periodic) {
    const auto d = static_cast<std::size_t>(dimensions);
    return {std::vector<int>(d, 8), std::vector<bool>(d, periodic)};
}

struct Stencil {
    const char* name;
    topology::Neighborhood neighborhood;
};

std::vector<Stencil> stencils() {
    return {{"d=5 n=5", topology::box(5, 5, -1)}, {"d=5 r=3", topology::moore(5, 3)}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_planning_cost)

/// Printed for readers: issue 2 asks for less than 1 ms for d = 5, n = 5, and less than 10 ms for
/// radius 3.
BOOST_AUTO_TEST_CASE(planning_is_timed_but_not_judged) {
    std::cout << "ms of CPU time (and allocations)      plan        place on torus   on mesh\n"
              << std::fixed << std::setprecision(2);
    for (const auto& [name, neighborhood] : stencils()) {
        for (const auto* rule : routing::grid_rules()) {
            for (const auto pattern : patterns) {
                const auto plan = rule->plan(grid_of(5, true), neighborhood, pattern);
                const auto bytes = equal_blocks(neighborhood, pattern, 4);
                const auto print = [](const Cost& cost) {
                    std::cout << std::setw(9) << cost.milliseconds << " (" << std::setw(5)
                              << cost.allocations << ')';
                };
                std::cout << name << ' ' << std::setw(10) << rule->name << ' ' << std::setw(10)
                          << name_of(pattern);
                print(cost_of([&] { rule->plan(grid_of(5, true), neighborhood, pattern); }));
                for (const bool periodic : {true, false})
                    print(cost_of([&] {
                        schedule::place(plan, grid_of(5, periodic), neighborhood, 0, bytes);
                    }));
                std::cout << std::endl;
            }
        }
    }
}

// A vector that grows to n elements allocates log2 n times; there must not be an allocation per
// neighbor or per move.
BOOST_AUTO_TEST_CASE(planning_does_not_allocate_per_neighbor) {
    for (const auto& [name, neighborhood] : stencils()) {
        for (const auto* rule : routing::grid_rules()) {
            for (const auto pattern : patterns) {
                const auto cost =
                    cost_of([&] { rule->plan(grid_of(5, true), neighborhood, pattern); });
                BOOST_TEST(cost.allocations < 1500, name << ' ' << rule->name << ' '
                                                         << name_of(pattern) << ": "
                                                         << cost.allocations);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(placing_allocates_two_lists_of_parts_per_round) {
    for (const auto& [name, neighborhood] : stencils()) {
        for (const auto* rule : routing::grid_rules()) {
            for (const auto pattern : patterns) {
                const auto plan = rule->plan(grid_of(5, true), neighborhood, pattern);
                const auto bytes = equal_blocks(neighborhood, pattern, 4);
                for (const bool periodic : {true, false}) {
                    const auto grid = grid_of(5, periodic);
                    const auto cost =
                        cost_of([&] { schedule::place(plan, grid, neighborhood, 0, bytes); });
                    BOOST_TEST(cost.allocations <= 2 * plan.rounds() + 20);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
