// SPDX-License-Identifier: MIT
#include "api/guarded.hpp"
#include "base/element.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/adopt.hpp"
#include "topology/grid.hpp"

#include <cstddef>
#include <vector>

using namespace carpool;

// Functions for language bindings, which fortran/binding.h declares and describes.

namespace {

/// The edges along which blocks go out or come in. Reads the topology of a communicator before its
/// first call; no edges if it has none, or is no communicator.
const std::vector<topology::Edge>& edges_of(MPI_Comm comm, int outgoing) {
    using Known = mpi::Attribute<neighbor::Topology>;
    static const topology::Adjacency none;
    const auto* known = Known::peek(comm);
    if (known == nullptr) {
        mpi::mistake_in([comm] {
            api::check_comm(comm, "comm");
            neighbor::read_topology_of(comm);
        });
        known = Known::peek(comm);
    }
    const auto& edges = known != nullptr ? known->edges() : none;
    return outgoing != 0 ? edges.out : edges.in;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int Carpool_f08_report(const char* function, MPI_Comm comm, int error_class, const char* text) {
    api::require_mpi(function, [comm] { return comm; });
    return api::report(function, comm, error_class, text);
}

void Carpool_f08_enter() { base::called_from_fortran = true; }

int Carpool_f08_leave(int code) {
    base::called_from_fortran = false;
    return code;
}

int Carpool_f08_dimensions(MPI_Comm comm) {
    int kind = MPI_UNDEFINED, dimensions = -1;
    mpi::mistake_in([&] {
        api::check_comm(comm, "comm");
        mpi::check(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
        if (kind == MPI_CART) mpi::check(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
    });
    return dimensions;
}

int Carpool_f08_degree(MPI_Comm comm, int outgoing) {
    return static_cast<int>(edges_of(comm, outgoing).size());
}

int Carpool_f08_has_neighbor(MPI_Comm comm, int outgoing, int i) {
    const auto& edge = edges_of(comm, outgoing)[static_cast<std::size_t>(i)];
    return edge.peer != topology::no_rank ? 1 : 0;
}

}  // extern "C"
#pragma GCC visibility pop
