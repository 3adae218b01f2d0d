// SPDX-License-Identifier: MIT
// Times updates of ghosts, exchanges by index: Carpool's requests and calls against the host MPI's
// alltoallv along a graph in its three forms, a hand-written loop of messages, and Carpool's own
// alltoallv; all of these with gathers of the entries, and with scatters where ghosts are not in
// the order of their owners. Interleaved. Arguments: seconds of timing per case, seed, cases.
//
//     tools/launch -n 16 --hosts 4 ghosts 1 1 stencil/16 power/2000/shuffled
//
// stencil/N: a 27-point stencil on N^3 points of each rank. power/GHOSTS: so many random columns of
// a matrix on each rank, of which few are wanted by most ranks. mesh/POINTS: a file of
// mesh_parts.py. With /shuffled ghosts are in a random order.

#include "alike.hpp"
#include "ghost_sets.hpp"
#include "ghosts_by_hand.hpp"
#include "host_forms.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using bench::check;
using bench::Racer;
using Map = bench::Handle<Carpool_Ghosts, Carpool_Ghosts_free>;

/// The ghosts of this rank with their values.
struct Scene {
    explicit Scene(bench::GhostSet given)
        : set(std::move(given)), owned(std::size_t(set.owned)), ghosts(set.owners.size()) {
        int rank = 0;
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        for (std::size_t i = 0; i < owned.size(); ++i)
            owned[i] = 1e7 * (rank + 1) + static_cast<double>(i);
        ghosts.reserve(1);  // MPICH refuses null pointers
    }

    /// @note Collective
    std::shared_ptr<Map> map(MPI_Info info) const {
        Carpool_Ghosts made = CARPOOL_GHOSTS_NULL;
        check(Carpool_Ghosts_create(MPI_COMM_WORLD, set.owned, set.size(), set.owners.data(),
                                    set.indices.data(), info, &made));
        return std::make_shared<Map>(made);
    }

    bench::GhostSet set;
    std::vector<double> owned, ghosts;
};

/// A request of a rule, or of auto.
Racer by_request(Scene& s, const std::string& rule) {
    const auto info = bench::info_with({{"carpool_algorithm", rule}});
    const auto map = s.map(info.get());
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(Carpool_Ghosts_update_init(s.owned.data(), s.ghosts.data(), 1, MPI_DOUBLE, map->get(),
                                     info.get(), &request));
    return bench::racer_of("Carpool ghosts, " + rule, request);
}

Racer by_call(Scene& s) {
    const auto map = s.map(MPI_INFO_NULL);
    return {"Carpool ghosts, call", [&s, map] {
                check(Carpool_Ghosts_update(s.owned.data(), s.ghosts.data(), 1, MPI_DOUBLE,
                                            map->get()));
            }};
}

Racer by_alltoallv(bench::GhostsByHand& hand) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(std::apply(
        Carpool_Neighbor_alltoallv_init,
        std::tuple_cat(hand.arguments(), std::tuple{hand.graph(), MPI_INFO_NULL, &request})));
    return bench::racer_of("Carpool alltoallv", request);
}

/// The ways to exchange the gathered entries.
std::vector<Racer> exchanges(bench::GhostsByHand& hand) {
    auto racers = bench::host_forms("host", MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
                                    MPI_Neighbor_alltoallv_init, hand.arguments(), hand.graph());
    const auto loop = hand.loop(), kept = hand.loop();
    kept->make_persistent();
    racers.push_back({"by hand", [loop] { loop->run_nonblocking(); }});
    racers.push_back({"by hand, persistent", [kept] { kept->run_persistent(); }});
    racers.push_back(by_alltoallv(hand));
    return racers;
}

/// The rules that route on the nodes of this run.
std::vector<std::string> rules() {
    MPI_Comm node = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    const bench::Communicator held(node);
    int on_node = 0, ranks = 0;
    check(MPI_Comm_size(node, &on_node));
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    std::vector<std::string> names{"auto", "direct", "friends"};
    for (int carriers = 1; on_node < ranks && carriers <= on_node; carriers *= 2)
        names.push_back("node:" + std::to_string(carriers));
    return names;
}

/// Means over ranks of what a case is made of.
bench::json::object about(const std::string& name, const Scene& scene,
                          const bench::GhostsByHand& hand, int ranks) {
    std::vector<double> sums{static_cast<double>(scene.ghosts.size()),
                             static_cast<double>(hand.received().ranks.size())};
    check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    return {{"case", name}, {"ghosts", sums[0] / ranks}, {"sources", sums[1] / ranks}};
}

void race(const std::string& name, bench::Timing& timing) {
    int rank = 0, ranks = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    Scene scene(bench::ghosts_named(name, rank, ranks));
    bench::GhostsByHand hand(scene.set, scene.owned, scene.ghosts);
    auto racers = exchanges(hand);
    for (auto& racer : racers) racer.run = hand.around(std::move(racer.run));
    for (const auto& rule : rules()) racers.push_back(by_request(scene, rule));
    racers.push_back(by_call(scene));
    bench::Alike alike(scene.ghosts, -1.0);
    for (const auto& racer : racers) alike.run(racer.name, racer.run);
    bench::emit_race(about(name, scene, hand, ranks), racers, timing, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: ghosts SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) race(argv[i], timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("ghosts", argc, argv, run); }
