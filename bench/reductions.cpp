// SPDX-License-Identifier: MIT
// Times Carpool's neighborhood reductions against a gather followed by a local reduction, by
// Carpool and by the host MPI, interleaved. Arguments: seconds of timing per case, seed, stencils
// radius, counts.
//
//     tools/launch -n 8 reductions 1 1 1,2 1,10,100,1000

#include "alike.hpp"
#include "handle.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <memory>

namespace {

using bench::check;
using bench::Racer;

/// A 3-D Moore neighborhood on a torus of all ranks, including the rank itself.
struct Scene {
    MPI_Comm world;
    std::vector<int> offsets;
    int t = 0;
    std::array<int, 3> dims{};
    bench::Communicator cart;
    bench::Communicator graph;

    Scene(MPI_Comm comm, int radius) : world(comm) {
        for (int x = -radius; x <= radius; ++x)
            for (int y = -radius; y <= radius; ++y)
                for (int z = -radius; z <= radius; ++z) offsets.insert(offsets.end(), {x, y, z});
        t = static_cast<int>(offsets.size()) / 3;
        int size = 0;
        check(MPI_Comm_size(comm, &size));
        check(MPI_Dims_create(size, 3, dims.data()));
        const std::array periods{1, 1, 1};
        MPI_Comm made = MPI_COMM_NULL;
        check(Carpool_Cart_neighborhood_create(comm, 3, dims.data(), periods.data(), t,
                                               offsets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                               &made));
        cart = bench::Communicator(made);
        const auto n = static_cast<std::size_t>(t);
        std::vector<int> sources(n), targets(n), weights(n);
        check(Carpool_Cart_neighbor_get(made, t, sources.data(), weights.data(), t, targets.data(),
                                        weights.data()));
        MPI_Comm graphed = MPI_COMM_NULL;
        check(MPI_Dist_graph_create_adjacent(comm, t, sources.data(), MPI_UNWEIGHTED, t,
                                             targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                             &graphed));
        graph = bench::Communicator(graphed);
    }
};

/// Blocks of doubles that are whole numbers, so that every order of addition gives the same sum.
struct Blocks {
    Blocks(const Scene& scene, bool scatters, int n)
        : count(n),
          send(std::size_t(n) * std::size_t(scatters ? scene.t : 1)),
          gathered(std::size_t(n) * std::size_t(scene.t)),
          result(std::size_t(n)) {
        int rank = 0;
        check(MPI_Comm_rank(scene.world, &rank));
        for (std::size_t i = 0; i < send.size(); ++i)
            send[i] = 1 + 13 * rank + static_cast<double>(i % 101);
    }

    void add_gathered() {
        const auto n = static_cast<std::size_t>(count);
        std::copy_n(gathered.begin(), n, result.begin());
        for (std::size_t at = n; at < gathered.size(); at += n)
            for (std::size_t i = 0; i < n; ++i) result[i] += gathered[at + i];
    }

    int count;
    std::vector<double> send, gathered, result;
};

Racer by_host(const Scene& s, Blocks& b, bool scatters) {
    return {"host, then add", [&s, &b, scatters] {
                const auto gather = scatters ? MPI_Neighbor_alltoall : MPI_Neighbor_allgather;
                check(gather(b.send.data(), b.count, MPI_DOUBLE, b.gathered.data(), b.count,
                             MPI_DOUBLE, s.graph.get()));
                b.add_gathered();
            }};
}

Racer gathered_by_carpool(const Scene& s, Blocks& b, bool scatters) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = scatters ? Carpool_Neighbor_alltoall_init : Carpool_Neighbor_allgather_init;
    check(init(b.send.data(), b.count, MPI_DOUBLE, b.gathered.data(), b.count, MPI_DOUBLE,
               s.cart.get(), MPI_INFO_NULL, &request));
    auto racer = bench::racer_of("Carpool, then add", request);
    racer.run = [&b, gather = racer.run] {
        gather();
        b.add_gathered();
    };
    return racer;
}

Racer reduced(const Scene& s, Blocks& b, bool scatters, const char* algorithm) {
    const auto info = bench::info_with({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init =
        scatters ? Carpool_Neighbor_reduce_scatter_block_init : Carpool_Neighbor_reduce_init;
    check(init(b.send.data(), b.result.data(), b.count, MPI_DOUBLE, MPI_SUM, s.cart.get(),
               info.get(), &request));
    return bench::racer_of(std::string("Carpool reduction, ") + algorithm, request);
}

void race(const Scene& scene, int radius, bool scatters, int count, bench::Timing& timing) {
    Blocks blocks(scene, scatters, count);
    std::vector<Racer> racers{by_host(scene, blocks, scatters),
                              gathered_by_carpool(scene, blocks, scatters)};
    for (const char* algorithm : {"direct", "cartesian", "basis", "auto"})
        racers.push_back(reduced(scene, blocks, scatters, algorithm));
    bench::Alike alike(blocks.result, -1.0);
    for (const auto& racer : racers) alike.run(racer.name, racer.run);
    int rank = 0;
    check(MPI_Comm_rank(scene.world, &rank));
    const std::string operation = scatters ? "reduce_scatter_block" : "reduce";
    bench::emit_race({{"case", operation + " r" + std::to_string(radius) + " " +
                                   std::to_string(count) + " doubles"},
                      {"operation", operation},
                      {"neighbors", scene.t},
                      {"count", count}},
                     racers, timing, scene.world, rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: reductions SECONDS SEED RADII COUNTS");
    auto timing = bench::timing_of(argv);
    for (const int radius : bench::numbers(argv[3])) {
        const Scene scene(MPI_COMM_WORLD, radius);
        for (const bool scatters : {false, true})
            for (const int count : bench::numbers(argv[4]))
                race(scene, radius, scatters, count, timing);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("reductions", argc, argv, run); }
