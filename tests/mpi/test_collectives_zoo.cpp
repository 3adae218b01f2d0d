// ranks: 1 2 3 4 5 6 7 8 9 12 16 17
// timeout: 120
// sanitize-ranks: 2 5
// core: yes
//
// The ordinary collectives, drawn at random: types, operators, counts, roots, algorithms and
// forms, against a model of their own and the host's blocking calls.

#define BOOST_TEST_MODULE collectives_zoo
#include "main.hpp"

#include "collective_samples.hpp"
#include "seed.hpp"

namespace {

using namespace carpool::tests;

int draws() {
    const int draws[] = {0, 40, 40, 40, 40, 20, 20, 15, 15, 10};
    return world_size() < 10 ? draws[world_size()] : 5;
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_is_drawn_gives_what_model_and_host_give) {
    auto rng = seeded();
    const CollectiveSamples samples;
    CollectiveTrial trial(MPI_COMM_WORLD);
    for (int round = 0; round < draws(); ++round) {
        for (const auto what : all_collectives) {
            const auto scenario = samples.draw(what, MPI_COMM_WORLD, rng);
            trial.run(scenario, samples.draw_manner(what, rng));
        }
        if (anywhere(trial.faults() > 0)) return;  // one round's complaints are enough
    }
}
