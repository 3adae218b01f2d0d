// Times neighborhood collectives on graphs: Carpool's rules against the host's three forms and a
// persistent loop by hand, interleaved. Arguments: seconds of timing per case, seed, graphs, sizes.
//
//     tools/launch -n 16 graphs 1 1 random:0.2,random:0.8,moore:2:1 4,64,1024,4096

#include "alike.hpp"
#include "handle.hpp"
#include "message_loop.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Racer;

constexpr const char* rules[] = {"direct", "friends",   "cumulative", "mesh",
                                 "grid",   "hypercube", "auto"};

/// Sources and targets of this rank.
struct Edges {
    std::vector<int> sources, targets;
};

/// Every edge with one probability; all ranks draw the same.
Edges random_edges(int rank, int size, double density, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Edges edges;
    for (int from = 0; from < size; ++from)
        for (int to = 0; to < size; ++to) {
            const bool there = static_cast<double>(random() >> 11) * 0x1p-53 < density;
            if (!there || from == to) continue;
            if (from == rank) edges.targets.push_back(to);
            if (to == rank) edges.sources.push_back(from);
        }
    return edges;
}

/// A Moore neighborhood on a torus of all ranks, as a graph that says nothing of it.
Edges moore_edges(int rank, int size, int d, int radius) {
    std::vector<int> dims(static_cast<std::size_t>(d));
    check(MPI_Dims_create(size, d, dims.data()));
    const auto shifted = [&](const std::vector<int>& offset, int sign) {
        int there = 0;
        int rest = rank;
        int stride = 1;
        for (std::size_t k = dims.size(); k-- > 0; rest /= dims[k]) {
            const int c = (rest % dims[k] + sign * offset[k] + dims[k] * radius) % dims[k];
            there += c * stride;
            stride *= dims[k];
        }
        return there;
    };
    Edges edges;
    std::vector<int> offset(dims.size(), -radius);
    for (bool more = true; more;) {
        if (std::any_of(offset.begin(), offset.end(), [](int c) { return c != 0; })) {
            edges.targets.push_back(shifted(offset, 1));
            edges.sources.push_back(shifted(offset, -1));
        }
        std::size_t k = offset.size();
        while (k > 0 && offset[k - 1] == radius) offset[--k] = -radius;
        more = k > 0;
        if (more) ++offset[k - 1];
    }
    return edges;
}

Edges edges_of(const std::string& name, std::uint64_t seed) {
    int rank = 0, size = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    const auto words = bench::split(name, ':');
    if (words.size() == 2 && words[0] == "random")
        return random_edges(rank, size, std::stod(words[1]), seed);
    if (words.size() == 3 && words[0] == "moore")
        return moore_edges(rank, size, std::stoi(words[1]), std::stoi(words[2]));
    throw std::runtime_error(name + ", expected random:DENSITY or moore:DIMENSIONS:RADIUS");
}

bench::Communicator graph_of(const Edges& e) {
    MPI_Comm graph = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(e.sources.size()),
                                         e.sources.data(), MPI_UNWEIGHTED,
                                         static_cast<int>(e.targets.size()), e.targets.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    return bench::Communicator(graph);
}

/// An exchange of equal blocks.
struct Exchange {
    Exchange(const Edges& e, MPI_Comm comm, bool gathers, int bytes_per_block)
        : edges(e),
          graph(comm),
          allgather(gathers),
          bytes(bytes_per_block),
          send(static_cast<std::size_t>(bytes) * (gathers ? 1 : e.targets.size())),
          recv(static_cast<std::size_t>(bytes) * e.sources.size()) {
        send.reserve(1);  // MPICH refuses null pointers, even of a rank without neighbors
        recv.reserve(1);
        int rank = 0;
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        for (std::size_t i = 0; i < send.size(); ++i)
            send[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(rank) * 7);
    }

    const Edges& edges;
    MPI_Comm graph;
    bool allgather;
    int bytes;
    std::vector<std::byte> send, recv;
};

Racer blocking(Exchange& x) {
    return {"host blocking", [&x] {
                const auto exchange = x.allgather ? MPI_Neighbor_allgather : MPI_Neighbor_alltoall;
                check(exchange(x.send.data(), x.bytes, MPI_BYTE, x.recv.data(), x.bytes, MPI_BYTE,
                               x.graph));
            }};
}

Racer nonblocking(Exchange& x) {
    return {"host nonblocking", [&x] {
                const auto exchange =
                    x.allgather ? MPI_Ineighbor_allgather : MPI_Ineighbor_alltoall;
                MPI_Request request = MPI_REQUEST_NULL;
                check(exchange(x.send.data(), x.bytes, MPI_BYTE, x.recv.data(), x.bytes, MPI_BYTE,
                               x.graph, &request));
                check(MPI_Wait(&request, MPI_STATUS_IGNORE));
            }};
}

Racer persistent(Exchange& x) {
    MPI_Request request = MPI_REQUEST_NULL;
    const auto init = x.allgather ? MPI_Neighbor_allgather_init : MPI_Neighbor_alltoall_init;
    check(init(x.send.data(), x.bytes, MPI_BYTE, x.recv.data(), x.bytes, MPI_BYTE, x.graph,
               MPI_INFO_NULL, &request));
    const auto held = std::make_shared<bench::HostRequest>(request);
    return {"host persistent", [held] {
                check(MPI_Start(held->address()));
                check(MPI_Wait(held->address(), MPI_STATUS_IGNORE));
            }};
}

Racer by_hand(Exchange& x) {
    const auto loop = std::make_shared<bench::MessageLoop>(MPI_COMM_WORLD);
    const auto block = [&x](std::vector<std::byte>& buffer, std::size_t i) {
        return buffer.data() + i * static_cast<std::size_t>(x.bytes);
    };
    for (std::size_t i = 0; i < x.edges.sources.size(); ++i)
        loop->receive(block(x.recv, i), x.bytes, x.edges.sources[i], 1);
    for (std::size_t i = 0; i < x.edges.targets.size(); ++i)
        loop->send(block(x.send, x.allgather ? 0 : i), x.bytes, x.edges.targets[i], 1);
    loop->make_persistent();
    return {"by hand", [loop] { loop->run_persistent(); }};
}

Racer by_carpool(Exchange& x, const char* rule) {
    const auto info = bench::info_with({{"carpool_algorithm", rule}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init =
        x.allgather ? Carpool_Neighbor_allgather_init : Carpool_Neighbor_alltoall_init;
    check(init(x.send.data(), x.bytes, MPI_BYTE, x.recv.data(), x.bytes, MPI_BYTE, x.graph,
               info.get(), &request));
    return bench::racer_of(std::string("Carpool ") + rule, request);
}

/// Seconds of the first init by a rule on a communicator of its own: planning, by all ranks.
double setup_seconds(const Edges& edges, bool allgather, int bytes, const char* rule) {
    const auto graph = graph_of(edges);
    Exchange x(edges, graph.get(), allgather, bytes);
    check(MPI_Barrier(MPI_COMM_WORLD));
    const double began = MPI_Wtime();
    const auto racer = by_carpool(x, rule);
    double took = MPI_Wtime() - began;
    check(MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return took;
}

void race(const std::string& name, const Edges& edges, MPI_Comm graph, bool allgather, int bytes,
          bench::Timing& timing) {
    Exchange x(edges, graph, allgather, bytes);
    std::vector<Racer> racers{blocking(x), nonblocking(x), persistent(x), by_hand(x)};
    for (const char* rule : rules) racers.push_back(by_carpool(x, rule));
    bench::Alike alike(x.recv, std::byte{0xA5});
    for (const auto& racer : racers) alike.run(racer.name, racer.run);
    bench::json::object setup;
    for (const char* rule : rules) setup[rule] = setup_seconds(edges, allgather, bytes, rule);
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    const std::string operation = allgather ? "allgather" : "alltoall";
    bench::emit_race({{"case", operation + ", " + name + ", " + std::to_string(bytes) + " B"},
                      {"operation", operation},
                      {"graph", name},
                      {"block", bytes},
                      {"setup", setup}},
                     racers, timing, MPI_COMM_WORLD, rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: graphs SECONDS SEED GRAPHS SIZES");
    auto timing = bench::timing_of(argv);
    for (const auto& name : bench::split(argv[3], ',')) {
        const auto edges = edges_of(name, std::stoull(argv[2]));
        const auto graph = graph_of(edges);
        for (const bool allgather : {true, false})
            for (const int bytes : bench::numbers(argv[4]))
                race(name, edges, graph.get(), allgather, bytes, timing);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::program("graphs", argc, argv, run); }
