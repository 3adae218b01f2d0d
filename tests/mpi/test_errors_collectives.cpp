// SPDX-License-Identifier: MIT
// ranks: 1 2 3
// nightly-ranks: 4
// sanitize-ranks: 2
//
// Bad arguments of collectives that a single rank can notice are refused on all ranks with the same
// error.

#include <boost/test/unit_test.hpp>

#include "collective_faults.hpp"
#include "collective_refusal.hpp"
#include "handles.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_errors_collectives)

namespace {

using namespace carpool::tests;
using namespace carpool::tests::faults;

/// Faults in arguments of the root, on all ranks and on that rank alone.
void run_all(const std::vector<CollectiveFault>& faults) {
    CollectiveRefusals refusals;
    for (const auto& fault : faults)
        for (const bool alone : {false, true})
            refusals.run(fault, !alone || world_rank() == refusals.root());
}

}  // namespace

BOOST_AUTO_TEST_CASE(wrong_counts_are_refused) { run_all(wrong_counts()); }

BOOST_AUTO_TEST_CASE(wrong_types_are_refused) {
    const auto uncommitted = uncommitted_type();
    run_all(wrong_types(uncommitted));
}

BOOST_AUTO_TEST_CASE(wrong_roots_are_refused) { run_all(wrong_roots()); }

BOOST_AUTO_TEST_CASE(mpi_in_place_is_refused_where_mpi_forbids_it) {
    run_all(wrong_places());
    if (world_size() == 1) return;
    CollectiveRefusals refusals;
    for (const auto& fault : wrong_places_off_root())
        for (const bool alone : {false, true})
            refusals.run(fault, alone ? world_rank() == 0 : world_rank() != refusals.root());
}

BOOST_AUTO_TEST_CASE(operators_that_cannot_reduce_are_refused) { run_all(wrong_operators()); }

BOOST_AUTO_TEST_CASE(sums_of_a_derived_type_are_refused) {
    const auto pair = committed(six_ints::vector(2, 1, 2));
    run_all({{"sum of a derived type",
              those([](Collective what) { return reduces(what); }),
              [&](Call& c) { c.recv.types[0] = pair, c.recv.counts[0] = 1; },
              {MPI_ERR_OP, {"op", "derived"}}}});
}

BOOST_AUTO_TEST_CASE(send_and_receive_sizes_that_differ_on_one_rank_are_refused) {
    run_all({{"more received than sent",
              {gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall, alltoallv,
               alltoallw},
              [](Call& c) {
                  for (auto& count : c.recv.counts) ++count;
              },
              {MPI_ERR_ARG, {}}}});
}

BOOST_AUTO_TEST_SUITE_END()
