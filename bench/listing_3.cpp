// SPDX-License-Identifier: MIT
// Times listing 3 of [2] as printed: the halo of a 9-point stencil on n by n numbers, by
// Cart_alltoallw with its datatypes after a Cart_alltoallw_init that returns no handle. It is
// compared with the host MPI's forms on the graph of the same neighbors and with Carpool's request,
// interleaved. Prints one JSON object per line. Arguments: seconds of timing per case, seed, values
// of n.
//
//     tools/launch -n 4 listing_3 1 1 4,16,64
//
// Arguments for instructions.py, which counts instructions: --starts, number of calls, values of n.

#include "alike.hpp"
#include "counted.hpp"
#include "handle.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/papers.h>
#include <mpi.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Communicator;
using bench::Racer;

constexpr int neighbors = 8;
constexpr std::array<int, 2 * neighbors> target{0,  1, 0, -1, -1, 0,  1,  0,  //
                                                -1, 1, 1, 1,  1,  -1, -1, -1};

using Datatype = bench::Handle<MPI_Datatype, MPI_Type_free>;

Datatype column_of(int n) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(n, 1, n + 2, MPI_DOUBLE, &type));
    check(MPI_Type_commit(&type));
    return Datatype(type);
}

/// The arguments of the listing's Cart_alltoallw.
struct Listing {
    explicit Listing(int size) : n(size), matrix(std::size_t(n + 2) * std::size_t(n + 2)) {
        const MPI_Datatype number = MPI_DOUBLE;
        set(0, n, number, {1, 1}, {n + 1, 1});  // {row, column} sent and received
        set(1, n, number, {n, 1}, {0, 1});
        set(2, 1, column.get(), {1, 1}, {1, n + 1});
        set(3, 1, column.get(), {1, n}, {1, 0});
        set(4, 1, number, {1, 1}, {n + 1, n + 1});
        set(5, 1, number, {1, n}, {n + 1, 0});
        set(6, 1, number, {n, n}, {0, 0});
        set(7, 1, number, {n, 1}, {0, n + 1});
    }

    void fill(int rank) {
        for (std::size_t i = 0; i < matrix.size(); ++i)
            matrix[i] = 1e6 * rank + static_cast<double>(i);
    }

    int n;
    std::vector<double> matrix;
    Datatype column = column_of(n);
    std::array<int, neighbors> count{};
    std::array<MPI_Datatype, neighbors> type{};
    std::array<MPI_Aint, neighbors> send{}, receive{};

private:
    using Cell = std::array<int, 2>;

    void set(std::size_t i, int many, MPI_Datatype of, Cell leaves, Cell comes) {
        count[i] = many;
        type[i] = of;
        send[i] = displacement(leaves);
        receive[i] = displacement(comes);
    }

    MPI_Aint displacement(Cell cell) const {
        return static_cast<MPI_Aint>(sizeof(double)) * (cell[0] * (n + 2) + cell[1]);
    }
};

/// `call(arguments of the listing..., rest...)`
template <class Call, class... Rest>
void alltoallw(Call call, Listing& a, Rest... rest) {
    check(call(a.matrix.data(), a.count.data(), a.send.data(), a.type.data(), a.matrix.data(),
               a.count.data(), a.receive.data(), a.type.data(), rest...));
}

Communicator cart_of_all() {
    int size = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    std::array<int, 2> dims{};
    const std::array<int, 2> periods{1, 1};
    check(MPI_Dims_create(size, 2, dims.data()));
    MPI_Comm cart = MPI_COMM_NULL;
    check(Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), neighbors,
                                   target.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &cart));
    return Communicator(cart);
}

/// @pre cart has the ranks of MPI_COMM_WORLD in the same order
Communicator graph_of(MPI_Comm cart) {
    std::array<int, neighbors> sources{}, targets{};
    check(Carpool_Cart_neighbor_get(cart, neighbors, sources.data(), MPI_UNWEIGHTED, neighbors,
                                    targets.data(), MPI_UNWEIGHTED));
    MPI_Comm graph =
        MPI_COMM_NULL;  // not made over cart, whose topology Open MPI takes for the graph's
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors, sources.data(), MPI_UNWEIGHTED,
                                         neighbors, targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL,
                                         0, &graph));
    return Communicator(graph);
}

/// A racer that starts a persistent request and waits for it.
template <class Request, class Start, class Wait>
Racer started(std::string name, Request made, Start start, Wait wait) {
    const auto held = std::make_shared<Request>(std::move(made));
    return {std::move(name), [held, start, wait] {
                check(start(held->address()));
                check(wait(held->address(), MPI_STATUS_IGNORE));
            }};
}

Racer host_persistent(Listing& listing, MPI_Comm graph) {
    MPI_Request made = MPI_REQUEST_NULL;
    alltoallw(MPI_Neighbor_alltoallw_init, listing, graph, MPI_INFO_NULL, &made);
    return started("host persistent", bench::HostRequest(made), MPI_Start, MPI_Wait);
}

Racer carpool_request(Listing& listing, MPI_Comm cart) {
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    alltoallw(Carpool_Neighbor_alltoallw_init, listing, cart, MPI_INFO_NULL, &made);
    return bench::racer_of("Carpool request", made);
}

void host_nonblocking(Listing& listing, MPI_Comm graph) {
    MPI_Request request = MPI_REQUEST_NULL;
    alltoallw(MPI_Ineighbor_alltoallw, listing, graph, &request);
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/// The listing as printed: the init returns no handle, and each iteration makes the call.
Racer as_printed(Listing& listing, MPI_Comm cart) {
    alltoallw(Cart_alltoallw_init, listing, cart);
    return {"Carpool, as printed", [&listing, cart] { alltoallw(Cart_alltoallw, listing, cart); }};
}

std::vector<Racer> racers_of(Listing& listing, MPI_Comm cart, MPI_Comm graph) {
    return {
        {"host blocking", [&listing, graph] { alltoallw(MPI_Neighbor_alltoallw, listing, graph); }},
        {"host nonblocking", [&listing, graph] { host_nonblocking(listing, graph); }},
        host_persistent(listing, graph),
        as_printed(listing, cart),
        carpool_request(listing, cart)};
}

void verify(Listing& listing, const std::vector<Racer>& racers, int rank) {
    bench::Alike alike(listing.matrix, -1.0);
    for (const auto& racer : racers)
        alike.run(racer.name, [&] {
            listing.fill(rank);
            racer.run();
        });
}

/// Counts instructions: of the host's blocking call and the call as printed, and of the persistent
/// forms.
void count(const std::vector<Racer>& racers, int calls) {
    const auto form = [&](std::size_t i) {
        return bench::Form{.name = "", .start = racers[i].run};
    };
    bench::count_starts({form(2), form(0), form(3), form(4)}, calls, MPI_COMM_WORLD);
}

/// Makes the racers of each size in turn, verifies that they deliver the same, and calls `what`.
template <class Do>
void with_racers(const std::string& sizes, Do what) {
    const auto cart = cart_of_all();
    const auto graph = graph_of(cart.get());
    int rank = 0;
    check(MPI_Comm_rank(cart.get(), &rank));
    for (const int n : bench::numbers(sizes)) {
        Listing listing(n);
        const auto racers = racers_of(listing, cart.get(), graph.get());
        verify(listing, racers, rank);
        what(n, racers, cart.get(), rank);
    }
}

void race_all(const std::string& sizes, bench::Timing timing) {
    with_racers(sizes, [&](int n, const auto& racers, MPI_Comm cart, int rank) {
        bench::emit_race({{"case", "n = " + std::to_string(n)}}, racers, timing, cart, rank);
    });
}

void count_all(const std::string& sizes, int calls) {
    with_racers(sizes, [&](int, const auto& racers, MPI_Comm, int) { count(racers, calls); });
}

void run(int argc, char** argv) {
    if (argc != 4)
        throw std::runtime_error("usage: listing_3 SECONDS SEED N,N,… or --starts CALLS N,N,…");
    if (argv[1] == std::string("--starts"))
        count_all(argv[3], std::stoi(argv[2]));
    else
        race_all(argv[3], bench::timing_of(argv));
}

}  // namespace

int main(int argc, char** argv) { return bench::program("listing_3", argc, argv, run); }
