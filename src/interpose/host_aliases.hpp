// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <array>
#include <bitset>
#include <iterator>

namespace carpool::interpose {

/// Whether the host's ordinary collectives refuse one buffer for both sides, which MPI forbids
/// (MPI 4.1, section 6.2). What they accept works as MPI_IN_PLACE.
///
/// Found out once in a process, by collectives of the process with itself.
class HostAliases {
public:
    static const HostAliases& of_process();

    /// @param several  whether the blocks have several elements: Open MPI's allreduce accepts one
    bool refuses(MpiOperation operation, bool several) const {
        return refuses_[several ? 1 : 0][index_of(operation)];
    }

private:
    HostAliases();
    void ask();

    std::array<std::bitset<std::size(names_of_operations)>, 2> refuses_;
};

}  // namespace carpool::interpose
