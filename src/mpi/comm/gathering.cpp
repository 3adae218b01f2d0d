#include "mpi/comm/gathering.hpp"

#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <numeric>

namespace carpool::mpi {
namespace {

// Messages between two ranks keep their order, so all gatherings can share a tag.
constexpr int tag = 0;

}  // namespace

Gathering::Gathering(MPI_Comm comm, void* memory, const std::vector<std::int64_t>& sizes)
    : comm_(comm), memory_(static_cast<std::byte*>(memory)), begins_(sizes.size() + 1) {
    check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
    std::partial_sum(sizes.begin(), sizes.end(), begins_.begin() + 1);
}

bool Gathering::test() {
    while (test_all(requests_)) {
        requests_.clear();
        if (distance_ >= size_) return true;
        begin_round();
    }
    return false;
}

/// The nearest rank whose bytes are not here sends as many ranks' bytes as are here, or all that
/// are left.
void Gathering::begin_round() {
    const int count = std::min(distance_, size_ - distance_);
    const int from = (rank_ - distance_ + size_) % size_;
    const int to = (rank_ + distance_) % size_;
    const auto first_known = [&](int last) { return (last - count + 1 + size_) % size_; };
    each_piece(first_known(from), count, [&](void* bytes, int length, MPI_Request* request) {
        check(MPI_Irecv(bytes, length, MPI_BYTE, from, tag, comm_, request), "MPI_Irecv");
    });
    each_piece(first_known(rank_), count, [&](void* bytes, int length, MPI_Request* request) {
        check(MPI_Isend(bytes, length, MPI_BYTE, to, tag, comm_, request), "MPI_Isend");
    });
    distance_ *= 2;
}

/// Calls start for the bytes of ranks first .. first + count - 1, where rank 0 follows the last
/// rank.
template <typename Start>
void Gathering::each_piece(int first, int count, Start start) {
    const auto piece = [&](int begin, int end) {
        const auto at = begins_[static_cast<std::size_t>(begin)];
        const auto length = begins_[static_cast<std::size_t>(end)] - at;
        if (length == 0) return;
        start(memory_ + at, static_cast<int>(length), &requests_.emplace_back(MPI_REQUEST_NULL));
    };
    piece(first, std::min(first + count, size_));
    piece(0, std::max(0, first + count - size_));
}

}  // namespace carpool::mpi
