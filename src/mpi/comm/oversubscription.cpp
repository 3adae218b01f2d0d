// SPDX-License-Identifier: MIT
#include "mpi/comm/oversubscription.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace carpool::mpi {
namespace {

/// Variables by which launchers tell a process how many of its job's processes run on its node:
/// those of Open MPI, Hydra, MVAPICH and Slurm.
constexpr const char* launcher_variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                              "MV2_COMM_WORLD_LOCAL_SIZE", "SLURM_NTASKS_PER_NODE"};

std::int64_t ranks_on_node() {
    for (const char* name : launcher_variables) {
        const char* value = std::getenv(name);
        if (value == nullptr) continue;
        const std::string_view text(value);
        std::int64_t ranks = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
        if (error == std::errc() && ranks > 0) return ranks;
    }
    return 1;
}

}  // namespace

std::int64_t oversubscription() {
    static const std::int64_t found = [] {
        // all cores of the node, not those that this process is bound to
        const std::int64_t cores = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
        return std::max<std::int64_t>(100, 100 * ranks_on_node() / cores);
    }();
    return found;
}

}  // namespace carpool::mpi
