// ranks: 2 5
// nightly-ranks: 3 4 7 12
// sanitize-ranks: 3
//
// Blocking calls on which nobody votes: a rank makes a mistake, and all go on. Who sees it has an
// error, all others the right blocks; nobody waits for ever, and the next call is right.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "operators.hpp"
#include "refusal.hpp"
#include "ring_calls.hpp"
#include "seed.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

void add_ints(void* in, void* inout, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

struct Mistake {
    std::string name;
    std::function<void(RingCall&)> make;
    bool seen_at_home;  ///< in the arguments alone
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all{
        {"negative count", [](RingCall& g) { g.count = -1; }, true},
        {"null type", [](RingCall& g) { g.type = MPI_DATATYPE_NULL; }, true},
        {"in place", [](RingCall& g) { g.sendbuf = MPI_IN_PLACE; }, true},
        {"more", [](RingCall& g) { g.count = 2; }, false},
        {"nothing", [](RingCall& g) { g.count = 0; }, false},
        {"other operation", [](RingCall& g) { g.gathers = !g.gathers; }, false},
    };
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_mistaken_calls)

BOOST_AUTO_TEST_CASE(a_mistake_ends_in_errors_or_right_blocks_and_the_next_call_is_right) {
    auto rng = seeded();
    auto all = rings();
    for (int round = 0; round < 120; ++round) {
        const auto& ring = all[rng() % all.size()];
        const auto& mistake = mistakes()[rng() % mistakes().size()];
        const bool spoilt = round % 2 == 0;
        const int wrong = static_cast<int>(rng() % static_cast<unsigned>(world_size()));
        RingBuffers buffers(round);
        RingCall given{rng() % 2 == 0, rng() % 2 == 0, 1, MPI_INT, buffers.send.data()};
        const auto what = ring.name + (given.gathers ? " allgather" : " alltoall") +
                          (given.lists ? "v, " : ", ") + (spoilt ? mistake.name : "right");
        doing(what);
        const bool mine = spoilt && wrong == world_rank();
        if (mine) mistake.make(given);
        const int code = called(given, buffers, ring.comm);
        if (!spoilt) {
            BOOST_TEST(code == MPI_SUCCESS, round << ", " << what << ": " << text_of(code));
            BOOST_TEST(is_right(buffers, ring, round), round << ", " << what);
        } else if (mine && mistake.seen_at_home) {
            BOOST_TEST(code != MPI_SUCCESS, what);
        } else if (code == MPI_SUCCESS && !mine) {
            BOOST_TEST(is_right(buffers, ring, round), round << ", " << what);
        }
        if (spoilt) BOOST_TEST(anywhere(code != MPI_SUCCESS), what << ": accepted");
    }
}

/// Calls under way at once, of which one may be wrong, awaited in another order on each rank.
BOOST_AUTO_TEST_CASE(mistakes_in_nonblocking_calls_do_not_touch_the_others) {
    auto rng = seeded();
    const auto all = rings();
#ifdef OPEN_MPI  // where nonblocking calls that no blocking one precedes go by MPI's own
    for (const auto& ring : all) Carpool_Barrier(ring.comm);
#endif
    std::mt19937 own(static_cast<unsigned>(rng()) + static_cast<unsigned>(world_rank()));
    for (int round = 0; round < 30; ++round) {
        doing("round " + std::to_string(round));
        const auto& ring = all[rng() % all.size()];
        const std::size_t spoilt = rng() % 6;  // 4 and 5: none
        const int wrong = static_cast<int>(rng() % static_cast<unsigned>(world_size()));
        std::vector<RingBuffers> buffers;
        for (int i = 0; i < 4; ++i) buffers.emplace_back(10 * round + i);
        std::array<MPI_Request, 4> requests;
        std::array<int, 4> codes;
        for (std::size_t i = 0; i < 4; ++i) {
            const int count = i == spoilt && wrong == world_rank() ? -1 : 1;
            codes[i] = Carpool_Ineighbor_alltoall(buffers[i].send.data(), count, MPI_INT,
                                                  buffers[i].recv.data(), count, MPI_INT, ring.comm,
                                                  &requests[i]);
        }
        std::array<std::size_t, 4> order{0, 1, 2, 3};
        std::shuffle(order.begin(), order.end(), own);
        for (const auto i : order)
            if (codes[i] == MPI_SUCCESS) codes[i] = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        for (std::size_t i = 0; i < 4; ++i) {
            if (i != spoilt) BOOST_TEST(codes[i] == MPI_SUCCESS, text_of(codes[i]));
            if (codes[i] == MPI_SUCCESS)
                BOOST_TEST(is_right(buffers[i], ring, 10 * round + static_cast<int>(i)));
        }
        if (spoilt < 4 && wrong == world_rank()) BOOST_TEST(codes[spoilt] != MPI_SUCCESS);
    }
}

BOOST_AUTO_TEST_CASE(operators_that_differ_are_refused_by_name) {
    for (const auto& ring : rings()) {
        if (ring.name != "declared") continue;
        const int one[] = {1, 1};
        int sum = 0;
        const bool mine = world_rank() == 0;
        const int code =
            Carpool_Neighbor_reduce(one, &sum, 1, MPI_INT, mine ? MPI_MAX : MPI_SUM, ring.comm);
        const auto text = code == MPI_SUCCESS ? "" : text_of(code);
        BOOST_TEST((code == MPI_SUCCESS || text.find("MPI_MAX") != std::string::npos), text);
        BOOST_TEST(anywhere(code != MPI_SUCCESS));
        BOOST_TEST((code != MPI_SUCCESS || sum == 2));
        BOOST_TEST(Carpool_Neighbor_reduce(one, &sum, 1, MPI_INT, MPI_SUM, ring.comm) ==
                   MPI_SUCCESS);
        BOOST_TEST(sum == 2);
    }
}

/// Of such different sizes ranks take different algorithms.
BOOST_AUTO_TEST_CASE(no_rank_is_told_that_it_calls_another_form_than_itself) {
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const std::vector<double> ones(50'000, 1.0);
    std::vector<double> sums(ones.size());
    const auto allreduce = [&](int count) {
        return Carpool_Allreduce(ones.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM, comm);
    };
    BOOST_TEST(allreduce(1) == MPI_SUCCESS);
    const int code = allreduce(world_rank() == 1 ? 50'000 : 1);
    const auto text = code == MPI_SUCCESS ? "" : text_of(code);
    const bool says_sizes = text.find(
                                " call allreduce with MPI_SUM for blocks of different "
                                "sizes, or in different forms") != std::string::npos ||
                            text.find("which expects") != std::string::npos;
    BOOST_TEST((says_sizes || code == MPI_SUCCESS), text);
    BOOST_TEST(text.find("this rank") == std::string::npos, text);
    BOOST_TEST(anywhere(code != MPI_SUCCESS));
    BOOST_TEST(allreduce(1) == MPI_SUCCESS);
    BOOST_TEST(sums[0] == world_size());
}

BOOST_AUTO_TEST_CASE(a_rank_that_has_nothing_to_sum_is_found_out) {
    const auto in_order = op_of(add_ints, false);
    for (const auto& ring : rings()) {
        for (const MPI_Op op : {MPI_SUM, MPI_Op(in_order)}) {
            doing(ring.name + (op == MPI_SUM ? "" : ", in order"));
            const int operands[] = {1, 1};
            int sum = 0;
            const auto reduce = [&](int count) {
                return Carpool_Neighbor_reduce_scatter_block(operands, &sum, count, MPI_INT, op,
                                                             ring.comm);
            };
            BOOST_TEST(reduce(0) == MPI_SUCCESS);
            BOOST_TEST(sum == 0);
            const int code = reduce(world_rank() == 0 ? 0 : 1);
            BOOST_TEST(anywhere(code != MPI_SUCCESS));
            BOOST_TEST((code != MPI_SUCCESS || world_rank() == 0 || sum == 2));
            BOOST_TEST(reduce(1) == MPI_SUCCESS);
            BOOST_TEST(sum == 2);
        }
    }
}

/// Ranks 0 and 1 share memory wherever some do. Blocks of this length go by MPI there, which does
/// not always keep to a receive that is too short.
BOOST_AUTO_TEST_CASE(a_long_block_that_does_not_fit_writes_nothing_behind_its_place) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto ranks = static_cast<std::size_t>(world_size());
    constexpr int sent = 60000;
    constexpr int expected = sent / 2;
    std::vector<int> from(static_cast<std::size_t>(sent), 7), to(from.size(), -1);
    std::vector<int> sendcounts(ranks), recvcounts(ranks), displs(ranks);
    if (world_rank() == 0) sendcounts[1] = sent;
    if (world_rank() == 1) recvcounts[0] = expected;
    const int code = Carpool_Alltoallv(from.data(), sendcounts.data(), displs.data(), MPI_INT,
                                       to.data(), recvcounts.data(), displs.data(), MPI_INT, comm);
    BOOST_TEST((world_rank() != 1 || code != MPI_SUCCESS));
    const auto behind = to.begin() + (world_rank() == 1 ? expected : 0);
    BOOST_TEST(std::all_of(behind, to.end(), [](int one) { return one == -1; }));
    recvcounts[0] = world_rank() == 1 ? sent : 0;
    BOOST_TEST(Carpool_Alltoallv(from.data(), sendcounts.data(), displs.data(), MPI_INT, to.data(),
                                 recvcounts.data(), displs.data(), MPI_INT, comm) == MPI_SUCCESS);
    BOOST_TEST((world_rank() != 1 || to.back() == 7));
}

/// The root has sent before anybody finds the mistake, and goes on with the same call. Blocks of
/// this length wait in memory of the root's, which the mistaken rank has not read.
/// Between nodes such a block is MPI's, and MPICH frees no communicator with it.
BOOST_AUTO_TEST_CASE(blocks_that_a_mistaken_rank_has_not_read_stop_no_later_call) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    std::vector<int> block(1000);
    for (int round = 0; round < 20; ++round) {
        doing("round " + std::to_string(round));
        const bool mistaken = round % 6 == 2;
        block.assign(block.size(), world_rank() == 0 ? round : -1);
        const int count = mistaken && world_rank() == world_size() - 1 ? -1 : 1000;
        const int code = Carpool_Bcast(block.data(), count, MPI_INT, 0, comm);
        if (count < 0) BOOST_TEST(code != MPI_SUCCESS);
        if (!mistaken) BOOST_TEST(code == MPI_SUCCESS, text_of(code));
        if (code == MPI_SUCCESS) BOOST_TEST((block.front() == round && block.back() == round));
    }
}

BOOST_AUTO_TEST_SUITE_END()
