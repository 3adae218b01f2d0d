#include "call/host_collective.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/tests.hpp"
#include "mpi/type_contents.hpp"

#include <limits>
#include <utility>

namespace carpool::call {
namespace {

bool is_int(std::int64_t number) {
    return std::numeric_limits<int>::min() <= number && number <= std::numeric_limits<int>::max();
}

}  // namespace

bool HostSide::fits(const Side& side, int blocks) {
    if (side.buffer == MPI_IN_PLACE) return true;
    for (int i = 0; i < blocks; ++i) {
        const bool placed = side.order == Order::displaced;
        if (!is_int(side.count(i)) || (placed && !is_int(side.displacements[i])) ||
            !mpi::is_predefined(side.type(i)))
            return false;
    }
    return true;
}

HostSide::HostSide(const Side& side, int blocks) : buffer(side.buffer) {
    if (buffer == MPI_IN_PLACE || blocks == 0) return;
    count = static_cast<int>(side.count(0));
    type = side.type(0);
    for (int i = 0; side.varying_counts() && i < blocks; ++i) {
        counts.push_back(static_cast<int>(side.count(i)));
        if (side.order != Order::displaced) continue;
        displs.push_back(static_cast<int>(side.displacements[i]));
        bytes.push_back(side.displacements[i]);
        types.push_back(side.type(i));
    }
}

HostCollective::HostCollective(HostSide send, HostSide recv, const Init& init)
    : send_(std::move(send)), recv_(std::move(recv)) {
    mpi::check(init(send_, recv_, &request_), "MPI's own collective");
}

HostCollective::~HostCollective() {
    if (!given_up_ && request_ != MPI_REQUEST_NULL && !mpi::finalized())
        MPI_Request_free(&request_);
}

/// MPI tells its messages apart by itself.
void HostCollective::start(int) { mpi::check(MPI_Start(&request_), "MPI_Start"); }

bool HostCollective::advance() { return mpi::test(&request_); }

}  // namespace carpool::call
