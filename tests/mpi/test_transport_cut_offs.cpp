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

constexpr int ints = 1000;
constexpr int piece = 4;  // ints

/// Blocks of `ints` ints for all ranks, contiguous, or in pieces with gaps of the same length.
class Everybody {
public:
    explicit Everybody(bool whole) : stride_(whole ? 1 : 2) {
        const auto ranks = static_cast<std::size_t>(world_size());
        sent_.resize(ranks * static_cast<std::size_t>(ints * stride_));
        received_.resize(sent_.size(), -1);
        for (std::size_t i = 0; i < sent_.size(); ++i)
            sent_[i] = world_rank() * 100000 + static_cast<int>(i);
    }

    Carpool_Request init(MPI_Comm comm, const char* transport, const char* transfer) {
        MPI_Datatype pattern;
        MPI_Type_vector(ints / piece, piece, stride_ * piece, MPI_INT, &pattern);
        MPI_Datatype type;
        MPI_Type_create_resized(pattern, 0, MPI_Aint{stride_} * ints * MPI_Aint{sizeof(int)},
                                &type);
        MPI_Type_free(&pattern);
        const auto block = committed(type);
        const auto info = info_of({{"carpool_algorithm", "spread"},
                                   {"carpool_transport", transport},
                                   {"carpool_transfer", transfer}});
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        call_counts = {};
        BOOST_TEST(Carpool_Alltoall_init(sent_.data(), 1, block, received_.data(), 1, block, comm,
                                         info, &request) == MPI_SUCCESS);
        return request;
    }

    /// Checks the blocks, and that the gaps have not changed.
    bool right() const {
        const int length = ints * stride_;
        for (int at = 0; at < length * world_size(); ++at) {
            const bool between = at / piece % stride_ == 1;
            const int expected = at / length * 100000 + world_rank() * length + at % length;
            if (received_[static_cast<std::size_t>(at)] != (between ? -1 : expected)) return false;
        }
        return true;
    }

private:
    int stride_;
    std::vector<int> sent_, received_;
};

struct Outcome {
    bool through_memory;
    int types;  ///< derived types made for MPI
};

/// The outcome of an alltoall with these cut-offs in the tuning file.
Outcome with(const std::string& cut_offs, bool whole, const char* transport = "auto",
             const char* transfer = "auto") {
    const TuningFile file(file_saying(R"("cut_offs": {)" + cut_offs + "}"));
    const auto comm = duplicate_of_world();
    Everybody all(whole);
    auto request = all.init(comm, transport, transfer);
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
    BOOST_TEST(with(R"("whole_through_memory": 4000)", true).through_memory);
    BOOST_TEST(!with(R"("whole_through_memory": 3999)", true).through_memory);
    BOOST_TEST(with(R"("whole_through_memory": 3999)", false).through_memory);
}

BOOST_AUTO_TEST_CASE(longer_packed_messages_are_sent_by_mpi) {
    BOOST_TEST(with(R"("put_together_through_memory": 4000)", false).through_memory);
    BOOST_TEST(!with(R"("put_together_through_memory": 3999)", false).through_memory);
    BOOST_TEST(with(R"("put_together_through_memory": 3999)", true).through_memory);
}

BOOST_AUTO_TEST_CASE(transport_shared_takes_memory_for_any_length) {
    const std::string none = R"("whole_through_memory": 0, "put_together_through_memory": 0)";
    for (const bool whole : {true, false}) BOOST_TEST(with(none, whole, "shared").through_memory);
}

BOOST_AUTO_TEST_CASE(shorter_messages_are_packed_for_mpi) {
    const std::string names[] = {"packed_below", "packed_below_per_part", "packed_below_per_piece"};
    const int lengths[] = {4 * ints, 4 * ints, 4 * piece};  // one block in each message
    const auto only = [&](std::size_t one, int below) {
        std::string text;
        for (std::size_t i = 0; i < std::size(names); ++i)
            text +=
                (i == 0 ? "\"" : ", \"") + names[i] + "\": " + std::to_string(i == one ? below : 0);
        return text;
    };
    const int packed = with("", false, "mpi", "pack").types;
    const int typed = with("", false, "mpi", "types").types;
    BOOST_TEST(packed < typed);
    for (std::size_t i = 0; i < std::size(names); ++i) {
        BOOST_TEST(with(only(i, lengths[i]), false, "mpi").types == typed, names[i]);
        BOOST_TEST(with(only(i, lengths[i] + 1), false, "mpi").types == packed, names[i]);
    }
}

BOOST_AUTO_TEST_CASE(very_large_cut_offs_are_accepted) {
    std::string all;
    for (const std::string name :
         {"whole_through_memory", "put_together_through_memory", "packed_below",
          "packed_below_per_part", "packed_below_per_piece"})
        all += (all.empty() ? "\"" : ", \"") + name + "\": 1099511627776";
    for (const bool whole : {true, false}) {
        BOOST_TEST(with(all, whole).through_memory);
        BOOST_TEST(with(all, whole, "mpi").types == with("", whole, "mpi", "pack").types);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
