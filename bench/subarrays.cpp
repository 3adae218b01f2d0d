// SPDX-License-Identifier: MIT
// Times a blocking alltoallw of subarrays of one array of doubles, with a halo of one cell in 3-D,
// and its alternatives: the host MPI's forms, Carpool's call and request, and a hand-written loop,
// interleaved. Prints one JSON object per line. Arguments: seconds of timing per case, seed, cases.
// A case is faces (6) or parts (26), the communicator (cart, graph or declared), and the edge of
// the local cube.
//
//     tools/launch -n 8 subarrays 1 1 faces/cart/16 parts/graph/32 parts/declared/8

#include "halo_blocks.hpp"
#include "halo_box.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Communicator;
using bench::HaloBlocks;
using bench::HaloBox;
using bench::Order;
using bench::Racer;

/// What is measured.
struct Case {
    std::string name;
    bool faces = false;
    std::string comm;
    int edge = 0;
};

Case case_named(const std::string& name) {
    std::istringstream words(name);
    std::string parts, comm, edge;
    std::getline(words, parts, '/');
    std::getline(words, comm, '/');
    std::getline(words, edge, '/');
    const Case result{name, parts == "faces", comm, edge.empty() ? 0 : std::stoi(edge)};
    const bool known = comm == "cart" ? result.faces : comm == "graph" || comm == "declared";
    if ((!result.faces && parts != "parts") || !known || result.edge < 1)
        throw std::runtime_error(
            "a case reads faces/cart|graph|declared/EDGE or "
            "parts/graph|declared/EDGE, not " +
            name);
    return result;
}

Communicator declared(MPI_Comm cart, const HaloBlocks& blocks) {
    MPI_Comm iso = MPI_COMM_NULL;
    check(Carpool_Iso_neighborhood_create(cart, blocks.size(), blocks.offsets[0].data(), &iso));
    return Communicator(iso);
}

void verify(HaloBox& box, bool faces, const Racer& racer) {
    box.fill_owned();
    racer.run();
    faces ? box.check_faces(racer.name) : box.check_halo(racer.name);
}

/// The host MPI has no declared neighborhoods, so it runs on the graph with the same neighbors.
void race(const Case& what, bench::Timing& timing) {
    const auto cart = bench::cart_of_all();
    HaloBox box(cart.get(), what.edge, 1);
    const bool by_cart = what.comm == "cart";
    const HaloBlocks blocks(box,
                            what.faces ? bench::offsets_of_faces() : bench::offsets_of_27_points(),
                            by_cart ? Order::by_neighbor : Order::by_offset);
    const auto graph = by_cart ? bench::cart_of_all() : bench::graph_of(blocks);
    const auto own = what.comm == "declared" ? declared(cart.get(), blocks)
                     : by_cart               ? bench::cart_of_all()
                                             : bench::graph_of(blocks);
    const std::vector<Racer> racers{
        bench::host_blocking(box, blocks, graph.get(), "host blocking"),
        bench::host_nonblocking(box, blocks, graph.get(), "host nonblocking"),
        bench::host_persistent(box, blocks, graph.get(), "host persistent"),
        bench::by_hand(box, blocks, graph.get(), "by hand"),
        bench::carpool_call(box, blocks, own.get(), "Carpool call"),
        bench::carpool_request(box, blocks, own.get(), "Carpool request")};
    for (const auto& racer : racers) verify(box, what.faces, racer);
    int rank = 0;
    check(MPI_Comm_rank(cart.get(), &rank));
    bench::emit_race({{"event", "subarrays"}, {"case", what.name}, {"edge", what.edge}}, racers,
                     timing, cart.get(), rank);
}

void run(int argc, char** argv) {
    if (argc < 4) throw std::runtime_error("usage: subarrays SECONDS SEED CASE…");
    auto timing = bench::timing_of(argv);
    for (int i = 3; i < argc; ++i) race(case_named(argv[i]), timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("subarrays", argc, argv, run); }
