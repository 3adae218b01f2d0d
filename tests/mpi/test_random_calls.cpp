// SPDX-License-Identifier: MIT
// ranks: 1 2 3 5 8
// sanitize-ranks: 3
//
// Random blocking and nonblocking calls. Either some ranks repeat their arguments and others never
// do: with any sizes, roots and buffers, all ranks make the same choices. Or no two calls are
// equal: sizes, buffers, datatypes, roots and communicators differ, and communicators have one rank
// up to all; results are compared byte for byte, including the gaps between blocks.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "environment.hpp"
#include "handles.hpp"
#include "random_calls.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_random_calls)

namespace {

using namespace carpool::tests;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int sum_of_ranks() { return world_size() * (world_size() - 1) / 2; }

/// A number that differs between sources, targets and calls.
int letter(int from, int to, int call) { return (31 * from + 7 * to + call) % 10007; }

/// Buffers at another place in each call, or always at the same one.
class Room {
public:
    explicit Room(bool same) : same_(same), memory_(1 << 16, -1) {}

    int* of(int numbers) {
        const int begin = same_ ? 0 : next_;
        next_ = (next_ + numbers + 1) % (1 << 14);
        std::fill_n(&memory_[at(begin)], numbers, -1);
        return &memory_[at(begin)];
    }

private:
    bool same_;
    int next_ = 1;
    std::vector<int> memory_;
};

void bcast(MPI_Comm comm, Room& room, int count, int root, int call) {
    int* const buffer = room.of(count);
    if (world_rank() == root) std::fill_n(buffer, count, letter(root, 0, call));
    BOOST_TEST(Carpool_Bcast(buffer, count, MPI_INT, root, comm) == MPI_SUCCESS);
    BOOST_TEST(std::count(buffer, buffer + count, letter(root, 0, call)) == count);
}

void allreduce(MPI_Comm comm, Room& sends, Room& receives, int count, bool in_place) {
    int* const sent = sends.of(count);
    int* const received = receives.of(count);
    std::fill_n(sent, count, world_rank());
    if (in_place) std::fill_n(received, count, world_rank());
    BOOST_TEST(Carpool_Allreduce(in_place ? MPI_IN_PLACE : sent, received, count, MPI_INT, MPI_SUM,
                                 comm) == MPI_SUCCESS);
    BOOST_TEST(std::count(received, received + count, sum_of_ranks()) == count);
}

/// Each pair of ranks has its own count.
int count_of(int from, int to, int call) { return (from + 2 * to + call) % 5; }

/// @param exchange  takes the arguments of Carpool_Alltoallv, with counts and displacements of
/// these types
template <typename Count, typename Place, typename Exchange>
void alltoallv(MPI_Comm comm, Room& sends, Room& receives, int call, Exchange exchange) {
    const int ranks = world_size();
    std::vector<Count> sent_counts, received_counts;
    std::vector<Place> sent_places, received_places;
    int sent = 0, received = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        sent_counts.push_back(count_of(world_rank(), rank, call));
        received_counts.push_back(count_of(rank, world_rank(), call));
        sent_places.push_back(sent);
        received_places.push_back(received);
        sent += static_cast<int>(sent_counts.back());
        received += static_cast<int>(received_counts.back());
    }
    int* const from = sends.of(sent + 1);
    int* const to = receives.of(received + 1);
    for (int rank = 0; rank < ranks; ++rank)
        std::fill_n(from + sent_places[at(rank)], sent_counts[at(rank)],
                    letter(world_rank(), rank, call));
    BOOST_TEST(exchange(from, sent_counts.data(), sent_places.data(), MPI_INT, to,
                        received_counts.data(), received_places.data(), MPI_INT,
                        comm) == MPI_SUCCESS);
    for (int rank = 0; rank < ranks; ++rank) {
        const int* const begin = to + received_places[at(rank)];
        BOOST_TEST(std::count(begin, begin + received_counts[at(rank)],
                              letter(rank, world_rank(), call)) == received_counts[at(rank)]);
    }
}

/// Blocks are contiguous on the root; other ranks pass no arrays.
/// @param gather  takes the arguments of Carpool_Gatherv, with counts and displacements of these
/// types
template <typename Count, typename Place, typename Gather>
void gatherv(MPI_Comm comm, Room& sends, Room& receives, int root, int call, Gather gather) {
    const bool is_root = world_rank() == root;
    const int own = count_of(world_rank(), root, call);
    int* const from = sends.of(own + 1);
    std::fill_n(from, own, letter(world_rank(), root, call));
    std::vector<Count> counts;
    std::vector<Place> places;
    int all = 0;
    for (int rank = 0; is_root && rank < world_size(); ++rank) {
        counts.push_back(count_of(rank, root, call));
        places.push_back(all);
        all += static_cast<int>(counts.back());
    }
    int* const to = receives.of(all + 1);
    BOOST_TEST(gather(from, own, MPI_INT, is_root ? to : nullptr, is_root ? counts.data() : nullptr,
                      is_root ? places.data() : nullptr, MPI_INT, root, comm) == MPI_SUCCESS);
    for (int rank = 0; is_root && rank < world_size(); ++rank)
        BOOST_TEST(std::count(to + places[at(rank)], to + places[at(rank)] + counts[at(rank)],
                              letter(rank, root, call)) == counts[at(rank)]);
}

void reduce_scatter(MPI_Comm comm, Room& sends, Room& receives, int call) {
    std::vector<int> counts;
    for (int rank = 0; rank < world_size(); ++rank) counts.push_back(count_of(rank, 0, call));
    const int all = std::accumulate(counts.begin(), counts.end(), 0);
    const int own = counts[at(world_rank())];
    int* const from = sends.of(all + 1);
    int* const to = receives.of(own + 1);
    std::fill_n(from, all, world_rank());
    BOOST_TEST(Carpool_Reduce_scatter(from, to, counts.data(), MPI_INT, MPI_SUM, comm) ==
               MPI_SUCCESS);
    BOOST_TEST(std::count(to, to + own, sum_of_ranks()) == own);
}

/// An allgather with one count, and the same with a count per rank.
void allgathers(MPI_Comm comm, Room& sends, Room& receives, int count, int call) {
    const int ranks = world_size();
    int* const from = sends.of(count);
    std::fill_n(from, count, letter(world_rank(), 0, call));
    const std::vector<int> counts(at(ranks), count);
    std::vector<int> places;
    for (int rank = 0; rank < ranks; ++rank) places.push_back(rank * count);
    for (const bool varying : {false, true}) {
        int* const to = receives.of(ranks * count);
        const int code = varying
                             ? Carpool_Allgatherv(from, count, MPI_INT, to, counts.data(),
                                                  places.data(), MPI_INT, comm)
                             : Carpool_Allgather(from, count, MPI_INT, to, count, MPI_INT, comm);
        BOOST_TEST(code == MPI_SUCCESS);
        for (int rank = 0; rank < ranks; ++rank)
            BOOST_TEST(std::count(to + rank * count, to + (rank + 1) * count,
                                  letter(rank, 0, call)) == count);
    }
}

/// A nonblocking call that is in progress during blocking calls.
class Beside {
public:
    void begin(MPI_Comm comm) {
        end();
        sent_ = world_rank();
        BOOST_TEST(Carpool_Iallreduce(&sent_, &sum_, 1, MPI_INT, MPI_SUM, comm, &request_) ==
                   MPI_SUCCESS);
        begun_ = true;
    }
    void end() {
        if (!begun_) return;
        BOOST_TEST(MPI_Wait(&request_, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(sum_ == sum_of_ranks());
        begun_ = false;
    }

private:
    int sent_ = 0, sum_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool begun_ = false;
};

/// Makes random calls. With `same`, odd ranks still use other buffers in each call.
void mix(MPI_Comm comm, bool same, int calls) {
    const bool own = same && world_rank() % 2 == 0;
    Room sends(own), receives(own);
    Beside beside;
    auto rng = seeded();
    for (int call = 0; call < calls; ++call) {
        const int count = 1 + static_cast<int>(rng() % (rng() % 4 == 0 ? 500 : 3));
        const int root = static_cast<int>(rng() % static_cast<unsigned>(world_size()));
        const auto kind = rng() % 11;
        note_step("kind " + std::to_string(kind) + ", call " + std::to_string(call));
        if (kind == 0) bcast(comm, sends, count, root, call);
        if (kind == 1) allreduce(comm, sends, receives, count, false);
        if (kind == 2) allreduce(comm, sends, receives, count, true);
        if (kind == 3) alltoallv<int, int>(comm, sends, receives, call, Carpool_Alltoallv);
        if (kind == 4) gatherv<int, int>(comm, sends, receives, root, call, Carpool_Gatherv);
        if (kind == 5) reduce_scatter(comm, sends, receives, call);
        if (kind == 6) beside.begin(comm);
        if (kind == 7) beside.end();
        if (kind == 8)
            alltoallv<MPI_Count, MPI_Aint>(comm, sends, receives, call, Carpool_Alltoallv_c);
        if (kind == 9)
            gatherv<MPI_Count, MPI_Aint>(comm, sends, receives, root, call, Carpool_Gatherv_c);
        if (kind == 10) allgathers(comm, sends, receives, 1 + count % 9, call);
    }
    beside.end();
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_that_round_have_the_same_bits_in_each_call) {
    const auto comm = duplicate_of_world();
    const double mine = 1.0 / (3 + 7 * world_rank());
    double first = 0;
    for (int call = 0; call < 100; ++call) {
        double sum = 0;
        Carpool_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        if (call == 0) first = sum;
        BOOST_TEST(sum == first);
    }
}

BOOST_AUTO_TEST_CASE(mixed_calls_are_right_where_some_ranks_repeat_their_arguments) {
    for (const bool same : {true, false}) mix(duplicate_of_world(), same, 1200);
}

BOOST_AUTO_TEST_CASE(mixed_calls_are_right_with_choice_host) {
    const Environment by_host("CARPOOL_CHOICE", "host");
    mix(duplicate_of_world(), false, 600);
}

BOOST_AUTO_TEST_CASE(random_calls_of_which_no_two_are_equal_are_right) {
    RandomCalls program(seeded());
    const int calls = operations_or(1500);
    for (int call = 0; call < calls; ++call) {
        const std::string wrong = program.call(call);
        BOOST_TEST(wrong == "");
        if (anywhere(!wrong.empty())) break;
    }
}

BOOST_AUTO_TEST_SUITE_END()
