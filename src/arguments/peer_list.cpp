// SPDX-License-Identifier: MIT
#include "arguments/peer_list.hpp"

#include "arguments/array.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <string>

namespace carpool::arguments {

using mpi::Error;

std::vector<int> peers_of(const PeerList& list, int ranks) {
    mpi::check_at_least(list.degree_name, list.degree, 0, MPI_ERR_ARG);
    check_array(list.name, list.ranks, list.degree);
    std::vector<int> peers(list.ranks, list.ranks + list.degree);
    for (std::size_t i = 0; i < peers.size(); ++i) {
        if (peers[i] == MPI_PROC_NULL)
            peers[i] = topology::no_rank;
        else if (peers[i] < 0 || peers[i] >= ranks)
            throw Error(MPI_ERR_RANK, mpi::element(list.name, static_cast<std::int64_t>(i)) +
                                          " is " + std::to_string(peers[i]) + ", expected 0 to " +
                                          std::to_string(ranks - 1) + " or MPI_PROC_NULL");
    }
    return peers;
}

std::vector<topology::Edge> edges_of(const PeerList& list, int ranks) {
    return topology::labelled(peers_of(list, ranks));
}

}  // namespace carpool::arguments
