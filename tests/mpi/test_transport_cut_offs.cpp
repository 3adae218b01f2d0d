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
#include <iterator>
#include <string>
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

/// Where the blocks of all ranks are contiguous: the others lie in pieces.
struct Contiguous {
    bool sent;
    bool received;
};
constexpr Contiguous both{true, true}, neither{false, false}, sent_alone{true, false};

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
Outcome with(const std::string& cut_offs, Contiguous contiguous, MPI_Info info,
             int block_bytes = bytes) {
    const TuningFile file(file_saying(R"("cut_offs": {)" + cut_offs + "}"));
    const auto comm = duplicate_of_world();
    Everybody all(block_bytes / 4, contiguous);
    auto request = all.init(comm, info);
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

Outcome with(const std::string& cut_offs, Contiguous contiguous, const char* transport = "auto",
             const char* transfer = "auto") {
    return with(cut_offs, contiguous,
                info_of({{"carpool_algorithm", "spread"},
                         {"carpool_transport", transport},
                         {"carpool_transfer", transfer}}));
}

BOOST_AUTO_TEST_SUITE(test_transport_cut_offs)

std::string cut_off(const std::string& name, int length) {
    return '"' + name + "\": " + std::to_string(length);
}

BOOST_AUTO_TEST_CASE(longer_contiguous_messages_are_sent_by_mpi) {
    BOOST_TEST(with(cut_off("whole_through_memory", bytes), both).through_memory);
    BOOST_TEST(!with(cut_off("whole_through_memory", bytes - 1), both).through_memory);
    BOOST_TEST(with(cut_off("whole_through_memory", bytes - 1), neither).through_memory);
}

BOOST_AUTO_TEST_CASE(longer_packed_messages_are_sent_by_mpi) {
    BOOST_TEST(with(cut_off("put_together_through_memory", bytes), neither).through_memory);
    BOOST_TEST(!with(cut_off("put_together_through_memory", bytes - 1), neither).through_memory);
    BOOST_TEST(with(cut_off("put_together_through_memory", bytes - 1), both).through_memory);
}

BOOST_AUTO_TEST_CASE(contiguous_messages_are_received_in_pieces_whatever_the_cut_offs) {
    const auto never_packed = cut_off("packed_below", 0) + ", " +
                              cut_off("packed_below_per_part", 0) + ", " +
                              cut_off("packed_below_per_piece", 0);
    for (const int whole : {bytes, 0})
        for (const int put_together : {bytes, 0}) {
            const auto cut_offs = cut_off("whole_through_memory", whole) + ", " +
                                  cut_off("put_together_through_memory", put_together) + ", " +
                                  never_packed;
            BOOST_TEST(with(cut_offs, sent_alone).through_memory == (whole > 0));
            const auto info = info_of({{"carpool_choice", "measure"}});  // of both transports
            for (const int length : {bytes, 64}) with(cut_offs, sent_alone, info, length);
        }
}

BOOST_AUTO_TEST_CASE(transport_shared_takes_memory_for_any_length) {
    const auto none =
        cut_off("whole_through_memory", 0) + ", " + cut_off("put_together_through_memory", 0);
    for (const auto contiguous : {both, neither})
        BOOST_TEST(with(none, contiguous, "shared").through_memory);
}

BOOST_AUTO_TEST_CASE(shorter_messages_are_packed_for_mpi) {
    const std::string names[] = {"packed_below", "packed_below_per_part", "packed_below_per_piece"};
    const int lengths[] = {bytes, bytes, 4 * piece};  // one block in each message
    const auto only = [&](std::size_t one, int below) {
        std::string text;
        for (std::size_t i = 0; i < std::size(names); ++i)
            text += (i == 0 ? "" : ", ") + cut_off(names[i], i == one ? below : 0);
        return text;
    };
    const int packed = with("", neither, "mpi", "pack").types;
    const int typed = with("", neither, "mpi", "types").types;
    BOOST_TEST(packed < typed);
    for (std::size_t i = 0; i < std::size(names); ++i) {
        BOOST_TEST(with(only(i, lengths[i]), neither, "mpi").types == typed, names[i]);
        BOOST_TEST(with(only(i, lengths[i] + 1), neither, "mpi").types == packed, names[i]);
    }
}

BOOST_AUTO_TEST_CASE(very_large_cut_offs_are_accepted) {
    std::string all;
    for (const std::string name :
         {"whole_through_memory", "put_together_through_memory", "packed_below",
          "packed_below_per_part", "packed_below_per_piece"})
        all += (all.empty() ? "\"" : ", \"") + name + "\": 1099511627776";
    for (const auto contiguous : {both, neither}) {
        BOOST_TEST(with(all, contiguous).through_memory);
        BOOST_TEST(with(all, contiguous, "mpi").types == with("", contiguous, "mpi", "pack").types);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
