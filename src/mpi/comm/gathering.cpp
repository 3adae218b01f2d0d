// SPDX-License-Identifier: MIT
#include "mpi/comm/gathering.hpp"

#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <utility>

namespace carpool::mpi {
namespace {

// Messages between two ranks keep their order, so all gatherings can share a tag.
constexpr int tag = 0;

}  // namespace

Gathering::Gathering(MPI_Comm comm, void* memory, const Sizes& sizes, std::vector<int> ranks)
    : comm_(comm),
      memory_(static_cast<std::byte*>(memory)),
      sizes_(sizes),
      ranks_(std::move(ranks)) {
    check(MPI_Comm_rank(comm, &place_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &count_), "MPI_Comm_size");
    if (ranks_.empty()) return;
    place_ = static_cast<int>(std::ranges::lower_bound(ranks_, place_) - ranks_.begin());
    count_ = static_cast<int>(ranks_.size());
}

bool Gathering::test() {
    while (test_all(requests_)) {
        requests_.clear();
        if (distance_ >= count_) return true;
        begin_round();
    }
    return false;
}

/// The nearest rank whose bytes are not here sends as many ranks' bytes as are here, or all that
/// are left.
void Gathering::begin_round() {
    const int count = std::min(distance_, count_ - distance_);
    const int from = (place_ - distance_ + count_) % count_;
    const int to = (place_ + distance_) % count_;
    const auto first_known = [&](int last) { return (last - count + 1 + count_) % count_; };
    each_piece(first_known(from), count, [&](void* bytes, int length, MPI_Request* request) {
        check(MPI_Irecv(bytes, length, MPI_BYTE, rank(from), tag, comm_, request), "MPI_Irecv");
    });
    each_piece(first_known(place_), count, [&](void* bytes, int length, MPI_Request* request) {
        check(MPI_Isend(bytes, length, MPI_BYTE, rank(to), tag, comm_, request), "MPI_Isend");
    });
    distance_ *= 2;
}

int Gathering::rank(int place) const {
    return ranks_.empty() ? place : ranks_[static_cast<std::size_t>(place)];
}

std::int64_t Gathering::begin_of(int place) const {
    return place == 0 ? 0 : sizes_.first + (place - 1) * sizes_.each;
}

/// Calls start for the bytes of places first .. first + count - 1, where place 0 follows the last
/// place.
template <typename Start>
void Gathering::each_piece(int first, int count, Start start) {
    const auto piece = [&](int begin, int end) {
        const auto at = begin_of(begin);
        const auto length = begin_of(end) - at;
        if (length == 0) return;
        start(memory_ + at, static_cast<int>(length), &requests_.emplace_back(MPI_REQUEST_NULL));
    };
    piece(first, std::min(first + count, count_));
    piece(0, std::max(0, first + count - count_));
}

}  // namespace carpool::mpi
