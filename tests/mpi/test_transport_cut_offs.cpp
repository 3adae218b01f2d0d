// SPDX-License-Identifier: MIT
// ranks: 2 4
// program: own
// environment: CARPOOL_CHOICE=model
// sanitize-ranks: 3
// one-node: all (of memory within a node)
//
// The lengths from which messages take another route come from the tuning file.

#include <boost/test/unit_test.hpp>

#include "count_calls.hpp"
#include "grid_neighborhood.hpp"
#include "handles.hpp"
#include "tuning_file.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace carpool::tests;

constexpr int bytes = 8000;  // of a block
constexpr int piece = 4;     // ints

/// The type of a block: contiguous, or in pieces with gaps of the same length if the stride is 2.
Type block_type(int ints, int stride) {
    MPI_Datatype pattern;
    MPI_Type_vector(ints / piece, piece, stride * piece, MPI_INT, &pattern);
    MPI_Datatype type;
    MPI_Type_create_resized(pattern, 0, MPI_Aint{stride} * ints * MPI_Aint{sizeof(int)}, &type);
    MPI_Type_free(&pattern);
    return committed(type);
}

/// Which blocks are contiguous; the others lie in pieces.
struct Contiguous {
    bool sent;
    bool received;
};
constexpr Contiguous both{true, true}, neither{false, false}, only_sent{true, false};

/// Blocks of so many ints for all ranks.
class Everybody {
public:
    Everybody(int ints, Contiguous contiguous)
        : ints_(ints),
          send_stride_(contiguous.sent ? 1 : 2),
          recv_stride_(contiguous.received ? 1 : 2) {
        const auto blocks = static_cast<std::size_t>(world_size() * ints_);
        sent_.resize(blocks * static_cast<std::size_t>(send_stride_));
        received_.resize(blocks * static_cast<std::size_t>(recv_stride_), -1);
        for (int i = 0; i < world_size() * ints_; ++i)
            sent_[place(i, send_stride_)] = world_rank() * 100000 + i;
    }

    Carpool_Request init(MPI_Comm comm, MPI_Info info) {
        const auto send_type = block_type(ints_, send_stride_),
                   recv_type = block_type(ints_, recv_stride_);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        call_counts = {};
        BOOST_TEST(Carpool_Alltoall_init(sent_.data(), 1, send_type, received_.data(), 1, recv_type,
                                         comm, info, &request) == MPI_SUCCESS);
        return request;
    }

    /// Checks the blocks, and that the gaps have not changed.
    bool right() const {
        std::vector<int> expected(received_.size(), -1);
        for (int i = 0; i < world_size() * ints_; ++i)
            expected[place(i, recv_stride_)] =
                i / ints_ * 100000 + world_rank() * ints_ + i % ints_;
        return received_ == expected;
    }

private:
    static std::size_t place(int number, int stride) {
        return static_cast<std::size_t>(number / piece * piece * stride + number % piece);
    }

    int ints_, send_stride_, recv_stride_;
    std::vector<int> sent_, received_;
};

struct Outcome {
    bool through_memory;
    int types;  ///< derived types made for MPI
};

/// The outcome of an alltoall with these cut-offs in the tuning file.
Outcome with(const CutOffs& cut_offs, Contiguous contiguous, const char* transport = "auto",
             const char* transfer = "auto", int block_bytes = bytes) {
    const TuningFile file(file_with(cut_offs));
    const auto comm = duplicate_of_world();
    Everybody all(block_bytes / 4, contiguous);
    auto request = all.init(comm, info_of({{"carpool_algorithm", "spread"},
                                           {"carpool_transport", transport},
                                           {"carpool_transfer", transfer}}));
    const Outcome outcome{plan_of(request).shared_bytes > 0, call_counts.types_created};
    BOOST_TEST(plan_of(request).without_memory == 0);
    for (int start = 0; start < 3; ++start) {
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(all.right());
    }
    Carpool_Request_free(&request);
    return outcome;
}

BOOST_AUTO_TEST_SUITE(test_transport_cut_offs)

BOOST_AUTO_TEST_CASE(longer_contiguous_messages_are_sent_by_mpi) {
    BOOST_TEST(with({{"whole_through_memory", bytes}}, both).through_memory);
    BOOST_TEST(!with({{"whole_through_memory", bytes - 1}}, both).through_memory);
    BOOST_TEST(with({{"whole_through_memory", bytes - 1}}, neither).through_memory);
}

BOOST_AUTO_TEST_CASE(longer_packed_messages_are_sent_by_mpi) {
    BOOST_TEST(with({{"put_together_through_memory", bytes}}, neither).through_memory);
    BOOST_TEST(!with({{"put_together_through_memory", bytes - 1}}, neither).through_memory);
    BOOST_TEST(with({{"put_together_through_memory", bytes - 1}}, both).through_memory);
}

BOOST_AUTO_TEST_CASE(contiguous_messages_are_received_in_pieces_whatever_the_cut_offs) {
    constexpr int fits_into_a_ring_entry = 64;
    for (const int whole : {bytes, 0})
        for (const int put_together : {bytes, 0}) {
            auto cut_offs = all_cut_offs(0);
            cut_offs["whole_through_memory"] = whole;
            cut_offs["put_together_through_memory"] = put_together;
            BOOST_TEST(with(cut_offs, only_sent).through_memory == (whole > 0));
            with(cut_offs, only_sent, "auto", "auto", fits_into_a_ring_entry);
        }
}

BOOST_AUTO_TEST_CASE(transport_shared_takes_memory_for_any_length) {
    for (const auto contiguous : {both, neither})
        BOOST_TEST(with(all_cut_offs(0), contiguous, "shared").through_memory);
}

BOOST_AUTO_TEST_CASE(shorter_messages_are_packed_for_mpi) {
    // one block in each message
    const CutOffs lengths{{"packed_below", bytes},
                          {"packed_below_per_part", bytes},
                          {"packed_below_per_piece", 4 * piece}};
    const int packed = with({}, neither, "mpi", "pack").types;
    const int typed = with({}, neither, "mpi", "types").types;
    BOOST_TEST(packed < typed);
    for (const auto& [name, length] : lengths) {
        auto cut_offs = all_cut_offs(0);
        cut_offs[name] = length;
        BOOST_TEST(with(cut_offs, neither, "mpi").types == typed, name);
        cut_offs[name] = length + 1;
        BOOST_TEST(with(cut_offs, neither, "mpi").types == packed, name);
    }
}

BOOST_AUTO_TEST_CASE(very_large_cut_offs_are_accepted) {
    const auto all = all_cut_offs(std::int64_t{1} << 40);
    for (const auto contiguous : {both, neither}) {
        BOOST_TEST(with(all, contiguous).through_memory);
        BOOST_TEST(with(all, contiguous, "mpi").types == with({}, contiguous, "mpi", "pack").types);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
