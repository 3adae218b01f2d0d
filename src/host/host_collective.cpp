// SPDX-License-Identifier: MIT
#include "host/host_collective.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/tests.hpp"
#include "mpi/types/extent.hpp"
#include "mpi/types/type_contents.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace carpool::host {
namespace {

bool is_int(std::int64_t number) {
    return std::numeric_limits<int>::min() <= number && number <= std::numeric_limits<int>::max();
}

}  // namespace

bool HostSide::fits(const arguments::Side& side, int blocks) {
    if (side.buffer == MPI_IN_PLACE) return true;
    for (int i = 0; i < blocks; ++i) {
        const bool placed = side.order == arguments::BlockOrder::displaced;
        if (!is_int(side.count(i)) || (placed && !is_int(side.displacements[i])) ||
            side.type(i) == MPI_DATATYPE_NULL || !mpi::is_predefined(side.type(i)))
            return false;
    }
    return true;
}

HostSide::HostSide(const arguments::Side& side, int n) : buffer(side.buffer), blocks(n) {
    if (buffer == MPI_IN_PLACE || blocks == 0) return;
    count = static_cast<int>(side.count(0));
    type = side.type(0);
    in_bytes = side.varying_types;
    for (int i = 0; side.varying_counts() && i < blocks; ++i) {
        counts.push_back(static_cast<int>(side.count(i)));
        if (side.order != arguments::BlockOrder::displaced) continue;
        displs.push_back(static_cast<int>(side.displacements[i]));
        bytes.push_back(side.displacements[i]);
        types.push_back(side.type(i));
    }
}

HostSide HostSide::moved_to(std::vector<std::byte>& memory) const {
    auto moved = *this;
    if (buffer == MPI_IN_PLACE || blocks == 0) return moved;
    std::int64_t low = 0, high = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(blocks); ++i) {
        const auto extent = mpi::extent_of(types.empty() ? type : types[i]);
        const auto length = extent * (counts.empty() ? count : counts[i]);
        const auto first = bytes.empty() ? high : in_bytes ? bytes[i] : bytes[i] * extent;
        low = std::min<std::int64_t>(low, first);
        high = std::max<std::int64_t>(high, first + length);
    }
    memory.resize(static_cast<std::size_t>(high - low));
    moved.buffer = memory.data() - low;
    return moved;
}

HostCollective::HostCollective(const HostSide& send, const HostSide& recv, bool rehearses,
                               const Init& init)
    : send_(rehearses ? send.moved_to(send_memory_) : send),
      recv_(rehearses ? recv.moved_to(recv_memory_) : recv) {
    mpi::check(init(send_, recv_, &request_), "MPI's own collective");
}

HostCollective::~HostCollective() {
    if (!given_up_ && request_ != MPI_REQUEST_NULL && !mpi::finalized())
        MPI_Request_free(&request_);
}

/// MPI tells the messages of its starts apart by itself, so the tag is not used.
void HostCollective::start(int) {
    mpi::check(MPI_Start(&request_), "MPI_Start");
    under_way_ = true;
}

bool HostCollective::advance() {
    under_way_ = false;  // also if MPI ends it by an error
    const bool ended = mpi::test(&request_);
    under_way_ = !ended;
    return ended;
}

}  // namespace carpool::host
