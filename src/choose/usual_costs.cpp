// SPDX-License-Identifier: MIT
#include "choose/usual_costs.hpp"

namespace carpool::choose {
namespace {

// Seconds per message, per byte and per phase. Those by MPI and through memory are fitted to
// bench/'s figures for the two MPI wheels (docs/measurements: index, collectives, memory); those
// between nodes are rough estimates after TCP between hosts of one machine. Machines differ:
// carpool_alpha, _beta and _sigma, or a tuning file, set other costs. MPICH takes five times as
// long for a message of a neighborhood as Open MPI, so it gains more from combining.
constexpr UsualCosts neighborhoods_on_mpich{
    {12.5e-6, 3e-9, 10e-6}, {0.5e-6, 0.5e-9, 5e-6}, {20e-6, 2e-9, 15e-6}};
constexpr UsualCosts neighborhoods_on_open_mpi{
    {2.3e-6, 2.5e-9, 30e-6}, {0.5e-6, 0.5e-9, 5e-6}, {20e-6, 2e-9, 15e-6}};

// The strategies of exchanges are fitted to messages by MPI.
constexpr UsualCosts exchanges_on_mpich{neighborhoods_on_mpich.by_mpi,
                                        neighborhoods_on_mpich.by_mpi,
                                        neighborhoods_on_mpich.between_nodes};
constexpr UsualCosts exchanges_on_open_mpi{neighborhoods_on_open_mpi.by_mpi,
                                           neighborhoods_on_open_mpi.by_mpi,
                                           neighborhoods_on_open_mpi.between_nodes};

// The same per message and byte that a core handles; only the ratios matter for the choice. Through
// memory a phase costs little more than the transfer of a cache line, except where ranks share
// cores (sharing_cores).
constexpr UsualCosts collectives_on_mpich{
    {4e-6, 1.2e-10, 12e-6}, {0.4e-6, 7e-11, 0.5e-6}, {12e-6, 1e-9, 30e-6}};
constexpr UsualCosts collectives_on_open_mpi{
    {2.3e-6, 3e-10, 46e-6}, {0.4e-6, 7e-11, 0.5e-6}, {12e-6, 1e-9, 30e-6}};

}  // namespace

const UsualCosts& usual_costs(MessageUse work, bool open_mpi) {
    switch (work) {
        case MessageUse::collectives:
            return open_mpi ? collectives_on_open_mpi : collectives_on_mpich;
        case MessageUse::exchanges:
            return open_mpi ? exchanges_on_open_mpi : exchanges_on_mpich;
        case MessageUse::neighborhoods:
            break;
    }
    return open_mpi ? neighborhoods_on_open_mpi : neighborhoods_on_mpich;
}

Costs costs_of(MessageUse work, const CostModel& node, const CostModel& network,
               double copy_per_byte, double sum_per_byte) {
    constexpr double gap = 1.5e-6;  // seconds between two messages of an adapter
    Costs costs{node, network};
    costs.sum_per_byte = sum_per_byte;
    if (work != MessageUse::collectives) return costs;
    costs.copy_per_byte = copy_per_byte;
    costs.adapter_per_byte = network.beta;
    costs.adapter_per_message = gap;
    return costs;
}

UsualCosts TunedCosts::Levels::over(const UsualCosts& usual) const {
    return {by_mpi.value_or(usual.by_mpi), through_memory.value_or(usual.through_memory),
            between_nodes.value_or(usual.between_nodes)};
}

}  // namespace carpool::choose
