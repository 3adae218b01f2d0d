// SPDX-License-Identifier: MIT
#include "checker.hpp"

#include "processes.hpp"

namespace carpool::model {

void Run::processes(std::vector<Process> all) { Processes::current->run(all); }

bool Run::killed() const { return Processes::current->killed(); }

void check(bool holds, const char* what) {
    if (!holds) Processes::current->fail(what);
}

void await(const std::function<bool()>& holds) { Processes::current->await(holds); }

Explored explore(const Scenario& scenario, const Bounds& bounds, const Seed& seed,
                 const std::function<void(double)>& progress) {
    constexpr std::int64_t between_reports = 4096;
    Processes processes(bounds, seed);
    Explored explored;
    do {
        explored.fault = processes.execute(scenario);
        if (++explored.executions % between_reports == 0 && progress)
            progress(processes.progress());
    } while (!explored.fault && processes.advance());
    explored.accesses = processes.accesses();
    explored.ordered = processes.ordered();
    explored.loads = processes.loads();
    return explored;
}

}  // namespace carpool::model
