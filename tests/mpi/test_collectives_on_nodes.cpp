// SPDX-License-Identifier: MIT
// ranks: 6
// environment: CARPOOL_TEST_NODES=4
//
// The ordinary collectives by nodes, of four ranks and of two, with consecutive ranks on a node or
// mixed ones.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "random_collectives.hpp"
#include "seed.hpp"
#include "topology/nodes.hpp"
#include "world.hpp"

#include <cstdint>
#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_collectives_on_nodes)

namespace {

using namespace carpool::tests;

/// Checks that algorithms by nodes solve all problems to which they apply, and refuse all others.
void try_all(MPI_Comm comm, const std::vector<std::uint64_t>& names) {
    auto rng = seeded();
    const RandomCollectives samples;
    CollectiveChecks trial(comm, std::make_shared<const carpool::topology::Nodes>(names));
    constexpr int rounds = 6;
    for (int round = 0; round < rounds; ++round) {
        for (const auto what : all_collectives)
            for (const auto& algorithm : carpool::collectives::algorithms(kind_of(what))) {
                if (!algorithm.by_node) continue;
                auto variant = samples.draw_variant(what, rng);
                variant.algorithm = algorithm.name;
                trial.run(samples.draw(what, comm, rng), variant);
            }
        if (anywhere(trial.faults() > 0)) return;
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(algorithms_by_node_give_what_the_model_and_the_host_mpi_give) {
    try_all(MPI_COMM_WORLD, {0, 0, 0, 0, 1, 1});
}

BOOST_AUTO_TEST_CASE(with_mixed_ranks_on_nodes_they_do_too_or_are_refused) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, world_rank() % 2, &comm);
    const Comm mingled(comm);
    try_all(mingled, {0, 0, 1, 0, 0, 1});
}

BOOST_AUTO_TEST_SUITE_END()
