// SPDX-License-Identifier: MIT
// Explores scenarios of the protocols in src/shared, and shows that faults which are seeded into
// them are found. prove [N]: with N preemptions more than usual.

#include "scenarios.hpp"
#include "sites.hpp"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>

namespace {

using namespace carpool::model;

std::vector<NamedScenario> all_scenarios() {
    std::vector<NamedScenario> all;
    for (auto* const some :
         {mailbox_scenarios, multicast_scenarios, staging_scenarios, barrier_scenarios})
        std::ranges::move(some(), std::back_inserter(all));
    return all;
}

/// Accesses by their line of code, which may be compiled several times, and the scenarios that make
/// them.
struct Uses {
    std::set<Site> sites;
    std::vector<const NamedScenario*> scenarios;
};
using Lines = std::map<std::string, Uses>;

void add(const NamedScenario& scenario, const std::set<Site>& sites, Lines& lines) {
    for (const auto* site : sites) {
        const auto line = text_of(site);
        if (!line.starts_with("src/shared/")) continue;
        auto& uses = lines[line];
        uses.sites.insert(site);
        if (uses.scenarios.empty() || uses.scenarios.back() != &scenario)
            uses.scenarios.push_back(&scenario);
    }
}

Explored explored(const NamedScenario& one, const Bounds& bounds) {
    const bool shows_progress = isatty(STDERR_FILENO) != 0;
    auto found = explore(one.scenario, bounds, {}, [&](double part) {
        if (shows_progress) std::fprintf(stderr, "\r%s: %.1f %%", one.name.c_str(), 100 * part);
    });
    if (shows_progress) std::fputs("\r\033[K", stderr);
    return found;
}

/// Explores all scenarios. Returns the number of faults.
int prove(const std::vector<NamedScenario>& scenarios, int further, Lines& ordered, Lines& loads) {
    int faults = 0;
    std::printf("%-40s %11s %9s %6s %11s %12s %8s\n", "scenario", "preemptions", "old reads",
                "killed", "executions", "accesses", "seconds");
    for (const auto& one : scenarios) {
        auto bounds = one.bounds;
        bounds.preemptions += further;
        const auto begun = std::chrono::steady_clock::now();
        const auto found = explored(one, bounds);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
        std::printf("%-40s %11d %9d %6d %11lld %12lld %8.1f\n", one.name.c_str(),
                    bounds.preemptions, bounds.stale, bounds.kills,
                    static_cast<long long>(found.executions),
                    static_cast<long long>(found.accesses), took.count());
        if (found.fault) std::printf("  FAULT: %s\n", found.fault->c_str());
        std::fflush(stdout);
        faults += found.fault ? 1 : 0;
        add(one, found.ordered, ordered);
        add(one, found.loads, loads);
    }
    return faults;
}

/// The scenario that finds a seeded fault; empty if none does.
std::string finder_of(const Uses& uses, const Seed& seed) {
    for (const auto* one : uses.scenarios)
        if (explore(one->scenario, one->bounds, seed).fault) return one->name;
    return "";
}

/// Seeds a fault into one line after the other. Returns the number of surprises: lines whose fault
/// is not found, but for those in `needless`, of which none may be found.
int seed_faults(const char* fault, const Lines& lines, std::set<Site> Seed::* where,
                const std::map<std::string, std::string>& needless) {
    std::printf("\n%-40s %s\n", fault, "found by");
    int surprises = 0;
    for (const auto& [line, uses] : lines) {
        Seed seed;
        seed.*where = uses.sites;
        const auto finder = finder_of(uses, seed);
        const auto code = code_at(line);
        const auto known = needless.find(code);
        const bool is_known = known != needless.end();
        std::printf("%-40s %s\n", line.c_str(),
                    !finder.empty() ? finder.c_str()
                    : is_known      ? ("none: " + known->second).c_str()
                                    : "NONE");
        if (finder.empty() != is_known) {
            std::printf("  UNEXPECTED: %s\n", code.c_str());
            ++surprises;
        }
        std::fflush(stdout);
    }
    return surprises;
}

/// By line of code, the orders that no scenario needs, and why.
const std::map<std::string, std::string> needless_orders{
    {"auto seen = word.load(std::memory_order_acquire);", "the exchange acquires"},
    {"const auto number = entry.number.load(std::memory_order_acquire);",
     "has_multicast() has acquired"},
    {"multicasts_.multicast_ring->reader_sets[reader_set].load(std::memory_order_acquire);",
     "the reader set's number is acquired"},
    {"multicast_ring_.reader_sets[number].store(*offset, std::memory_order_release);",
     "the reader set's number is released"}};

/// By line of code, the loads that need not see new values, and why.
const std::map<std::string, std::string> needless_loads{
    {"auto seen = most.load(std::memory_order_relaxed);", "the exchange fails if it is old"},
    {"auto seen = word.load(std::memory_order_acquire);", "the exchange fails if it is old"},
    {"const auto number = entry.number.load(std::memory_order_acquire);",
     "has_multicast() has read it"},
    {"multicasts_.multicast_ring->reader_sets[reader_set].load(std::memory_order_acquire);",
     "it is written once"}};

}  // namespace

int main(int argc, char** argv) {
    const int further = argc > 1 ? std::atoi(argv[1]) : 0;
    const auto scenarios = all_scenarios();
    Lines ordered;
    Lines loads;
    const int faults = prove(scenarios, further, ordered, loads);
    if (faults > 0) return 1;
    const int surprises =
        seed_faults("relaxed instead of ordered", ordered, &Seed::relaxed, needless_orders) +
        seed_faults("not read again", loads, &Seed::repeated, needless_loads);
    return surprises == 0 ? 0 : 1;
}
