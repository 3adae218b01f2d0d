// SPDX-License-Identifier: MIT
#pragma once

#include "flow.hpp"
#include "halo.hpp"
#include "torus.hpp"

#include <numeric>
#include <vector>

namespace demo {

/// All populations of a part of a box.
template <int Q, int D>
Datatype part_type(const Box<D>& box, const Vector<D>& count, const Vector<D>& first) {
    std::vector<int> populations(Q);
    std::iota(populations.begin(), populations.end(), 0);
    return populations_type(box, populations, cells_type(box, count, first));
}

template <int D>
Vector<D> times(const Vector<D>& a, const Vector<D>& b) {
    Vector<D> result;
    for (int k = 0; k < D; ++k) result[k] = a[k] * b[k];
    return result;
}

/// A flow of the whole domain at rank 0, an empty one elsewhere.
template <int D, int Q>
Flow<D, Q> whole_flow(const Torus<D, Q>& torus, const Vector<D>& part, double viscosity) {
    const bool root = rank_in(MPI_COMM_WORLD) == 0;
    return Flow<D, Q>(root ? times<D>(torus.dims, part) : Vector<D>{}, viscosity);
}

/// Puts the parts of all ranks together at rank 0.
template <int D, int Q>
void gather(const Flow<D, Q>& part, const Torus<D, Q>& torus, Flow<D, Q>& whole) {
    const MPI_Comm comm = torus.cart.get();
    const Vector<D>& cells = part.box().cells();
    std::vector<MPI_Request> requests;
    for (int rank = 0; rank_in(comm) == 0 && rank < size_of(comm); ++rank) {
        const Datatype type =
            part_type<Q>(whole.box(), cells, times<D>(torus.coordinates(rank), cells));
        check(MPI_Irecv(whole.populations().data(), 1, type.get(), rank, 0, comm,
                        &requests.emplace_back()));
    }
    const Datatype type = part_type<Q>(part.box(), cells, Vector<D>{});
    check(
        MPI_Isend(part.populations().data(), 1, type.get(), 0, 0, comm, &requests.emplace_back()));
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

}  // namespace demo
