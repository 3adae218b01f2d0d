#include "interpose/comm_use.hpp"

#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "mpi/lives.hpp"
#include "neighbor/create.hpp"
#include "neighbor/mpi_topology.hpp"

#include <cstdio>
#include <exception>
#include <memory>

namespace carpool::interpose {
namespace {

using mpi::check;

bool is_intercommunicator(MPI_Comm comm) {
    int inter = 0;
    check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    return inter != 0;
}

bool has_several_ranks(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size > 1;
}

/// Where both neighbors along a dimension are one rank, some or all neighborhood collectives of
/// Open MPI 4.1 and 5.0, MPICH 4.0 and Intel MPI 2021 exchange the two blocks; MPICH 5 does not.
bool exchanges_blocks() {
    static const bool may = [] {
        int mpich = 0;
        const auto version = mpi::library_version();
        return std::sscanf(version.c_str(), "MPICH Version: %d", &mpich) != 1 || mpich < 5;
    }();
    return may;
}

bool has_short_period(MPI_Comm comm) {
    int d = 0;
    check(MPI_Cartdim_get(comm, &d), "MPI_Cartdim_get");
    if (d == 0) return false;
    const auto grid = neighbor::cartesian_grid(comm);
    for (int k = 0; k < d; ++k)
        if (grid.periodic(k) && grid.dim(k) <= 2) return true;
    return false;
}

}  // namespace

CommUse::CommUse(MPI_Comm comm) {
    if (is_intercommunicator(comm)) return;
    several_ranks_ = has_several_ranks(comm);
    const int kind = neighbor::kind_of_topology(comm);
    has_topology_ = kind != MPI_UNDEFINED;
    is_cartesian_ = kind == MPI_CART;
    host_may_be_wrong_ = is_cartesian_ && exchanges_blocks() && has_short_period(comm);
}

const char* CommUse::why_not(const CommUse* use, bool asked, MpiOperation operation) {
    if (!asked) return "not in CARPOOL_CALLS";
    if (use == nullptr) return "no communicator";
    if (use->may_take(operation)) return "among the first on a communicator (CARPOOL_AFTER)";
    return use->several_ranks_ ? "no topology, or one whose ranks disagree"
                               : "one rank, or an intercommunicator";
}

CommUse* CommUse::of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return nullptr;
    if (auto* const known = mpi::Attribute<CommUse>::peek(comm)) return known;
    if (!mpi::initialized_and_not_finalized() || !mpi::lives(comm)) return nullptr;
    try {
        return mpi::Attribute<CommUse>::of(comm, comm).get();
    } catch (const std::exception&) {
        return nullptr;  // the host says what is wrong with the communicator
    }
}

}  // namespace carpool::interpose
