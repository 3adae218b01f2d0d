// ranks: 2 5
// sanitize-ranks: 2
//
// Who has done something else in a call on one communicator, and waits on another one by now, still
// answers those that wait for it.

#include <boost/test/unit_test.hpp>

#include "mistaken.hpp"
#include "stage.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace carpool::tests;

/// A communicator on which calls go wrong, and another one.
struct Two {
    Comm wrong = duplicate_of_world();
    Comm other = duplicate_of_world();

    Two() {
        MPI_Comm_set_errhandler(wrong, MPI_ERRORS_RETURN);
        BOOST_TEST_REQUIRE(Carpool_Barrier(wrong) == MPI_SUCCESS);
        meet();
    }

    void meet() const { BOOST_TEST(Carpool_Barrier(other) == MPI_SUCCESS); }

    /// All go on where calls went wrong.
    void expect_right_sum() const {
        int one = 1, sum = 0;
        BOOST_TEST(Carpool_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, wrong) == MPI_SUCCESS);
        BOOST_TEST(sum == world_size());
        meet();
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(test_mistaken_elsewhere)

/// The first rank needs nobody for its exscan.
BOOST_AUTO_TEST_CASE(who_was_through_at_once_answers) {
    const Two comms;
    const auto ranks = static_cast<std::size_t>(world_size());
    const std::vector<int> ones(ranks, 1);
    std::vector<int> at(ranks), all(ranks);
    std::iota(at.begin(), at.end(), 0);
    int own = world_rank(), before = 0;
    const int code = world_rank() == 0
                         ? Carpool_Exscan(&own, &before, 1, MPI_INT, MPI_SUM, comms.wrong)
                         : Carpool_Allgatherv(&own, 1, MPI_INT, all.data(), ones.data(), at.data(),
                                              MPI_INT, comms.wrong);
    BOOST_TEST((code != MPI_SUCCESS || world_rank() == 0));
    comms.meet();
    comms.expect_right_sum();
}

/// Its blocks fill all the rooms that it has for them.
BOOST_AUTO_TEST_CASE(who_takes_another_for_the_root_answers_one_whose_blocks_nobody_takes) {
    constexpr int count = 30, times = 4;
    const Two comms;
    std::vector<int> all(static_cast<std::size_t>(count * world_size()));
    std::array<int, count> own{};
    const int root = i_am_last() ? world_rank() : 0;
    for (int i = 0; i < times; ++i) {
        Carpool_Scatter(all.data(), count, MPI_INT, own.data(), count, MPI_INT, root, comms.wrong);
        comms.meet();
    }
    comms.expect_right_sum();
}

/// It is ahead by as many blocks as the cells hold that its mates read from, so what it tells of
/// the call that it then gets wrong finds none; and it waits where nobody would tell it again.
BOOST_AUTO_TEST_CASE(who_finds_no_cell_to_tell_of_a_mistake_and_waits_in_mpi_is_heard) {
    const auto ranks = static_cast<std::size_t>(world_size());
    const std::vector<int> ones(ranks, 1);
    std::vector<int> at(ranks);
    std::iota(at.begin(), at.end(), 0);
    for (int ahead = 14; ahead <= 18; ++ahead) {
        const Two comms;
        const auto scatter = [&](int count) {
            std::array<int, 2> own{};
            return Carpool_Scatterv(at.data(), ones.data(), at.data(), MPI_INT, own.data(), count,
                                    MPI_INT, 0, comms.wrong);
        };
        BOOST_TEST(scatter(1) == MPI_SUCCESS);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i_am_last()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        for (int i = 0; i < ahead; ++i) BOOST_TEST(scatter(1) == MPI_SUCCESS);
        BOOST_TEST(scatter(world_rank() == 0 ? 2 : 1) != MPI_SUCCESS);
        MPI_Barrier(MPI_COMM_WORLD);
        comms.expect_right_sum();
    }
}

BOOST_AUTO_TEST_SUITE_END()
