// SPDX-License-Identifier: MIT
// The sentence that names which ranks a rank waits for.

#include <boost/test/unit_test.hpp>

#include "base/who_waits.hpp"

#include <numeric>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_who_waits)

using carpool::base::UnderWay;
using carpool::base::who_waits;

BOOST_AUTO_TEST_CASE(a_call_is_reported_with_its_number_and_communicator) {
    BOOST_TEST(who_waits({"Carpool_Bcast", "halo", 3, 7, {1}, {}}) ==
               "rank 3 waits for rank 1 in Carpool_Bcast, call 7 on communicator halo");
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_left_out) {
    BOOST_TEST(who_waits({"Carpool_Wait", "", 0, {}, {}, {}}) ==
               "rank 0 waits for other ranks in Carpool_Wait");
}

BOOST_AUTO_TEST_CASE(unexpected_messages_tell_where_their_senders_are) {
    const UnderWay what{
        "Carpool_Bcast", "", 2, 7, {0, 4}, {{0, 7, "allreduce with MPI_SUM"}, {4, 9, "bcast"}}};
    BOOST_TEST(who_waits(what) ==
               "rank 2 waits for ranks 0 and 4 in Carpool_Bcast, call 7; rank 0 is in call 7, "
               "allreduce with MPI_SUM; rank 4 is in call 9, bcast");
}

BOOST_AUTO_TEST_CASE(of_very_many_ranks_the_first_are_named) {
    std::vector<int> ranks(9);
    std::iota(ranks.begin(), ranks.end(), 0);
    BOOST_TEST(who_waits({"f", "", 9, {}, ranks, {}}) ==
               "rank 9 waits for ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 in f");
    ranks.resize(100);
    std::iota(ranks.begin(), ranks.end(), 0);
    BOOST_TEST(who_waits({"f", "", 100, {}, ranks, {}}) ==
               "rank 100 waits for ranks 0, 1, 2, 3, 4, 5, 6, 7 and 92 others in f");
}

BOOST_AUTO_TEST_SUITE_END()
