// SPDX-License-Identifier: MIT
#pragma once

#include "lattice.hpp"
#include "mpi.hpp"

#include <algorithm>
#include <vector>

namespace demo {

/// Offsets of all neighbors, flattened: the velocities of the lattice but the one at rest.
template <int D, int Q>
std::vector<int> neighbor_offsets() {
    std::vector<int> offsets;
    for (const Vector<D>& velocity : Lattice<D, Q>::velocities)
        if (velocity != Vector<D>{})
            offsets.insert(offsets.end(), velocity.begin(), velocity.end());
    return offsets;
}

/// All ranks on a periodic D-dimensional torus with the lattice's neighborhood, as Carpool and as
/// the host MPI want it.
template <int D, int Q>
struct Torus {
    Vector<D> dims{};
    Communicator cart;
    Communicator graph;

    Torus() {
        check(MPI_Dims_create(size_of(MPI_COMM_WORLD), D, dims.data()));
        cart = make_cart(dims);
        graph = make_graph(cart.get());
    }

    Vector<D> coordinates(int rank) const {
        Vector<D> result;
        check(MPI_Cart_coords(cart.get(), rank, D, result.data()));
        return result;
    }

private:
    static Communicator make_cart(const Vector<D>& dims) {
        const std::vector<int> offsets = neighbor_offsets<D, Q>();
        const std::vector<int> periods(D, 1);
        MPI_Comm cart;
        check(Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, D, dims.data(), periods.data(),
                                               static_cast<int>(offsets.size()) / D, offsets.data(),
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &cart));
        return Communicator(cart);
    }

    /// Along a dimension of size 2 the neighbors at +1 and -1 are one rank, with several edges to
    /// it. Block i still arrives as block i: sources R - N[i] stand in the order of the targets
    /// R + N[i], and messages between two ranks do not overtake each other.
    static Communicator make_graph(MPI_Comm cart) {
        int t = 0;
        check(Carpool_Cart_neighbor_count(cart, &t));
        std::vector<int> sources(t), targets(t);
        check(Carpool_Cart_neighbor_get(cart, t, sources.data(), MPI_UNWEIGHTED, t, targets.data(),
                                        MPI_UNWEIGHTED));
        MPI_Comm graph;
        check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, t, sources.data(), MPI_UNWEIGHTED, t,
                                             targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                             &graph));
        return Communicator(graph);
    }
};

}  // namespace demo
