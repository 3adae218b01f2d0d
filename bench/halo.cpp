// SPDX-License-Identifier: MIT
// Times several forms that fill the halo of a 27-point stencil in 3-D, on 8 or any number of ranks,
// interleaved. Arguments: seconds of timing per case, seed, edges of the local cube, widths.
//
//     tools/launch -n 8 halo 1 1 8,16,32,64 1,2,3,4

#include "halo_blocks.hpp"
#include "halo_box.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <cstring>
#include <memory>

namespace {

using bench::check;
using bench::HaloBlocks;
using bench::HaloBox;
using bench::offsets_of_27_points;
using bench::Racer;
using bench::Triple;

Racer carpool_halo(HaloBox& box, const char* algorithm) {
    void* const field[] = {box.cells.data()};
    const Triple shape{box.edge, box.edge, box.edge};
    const Triple width{box.width, box.width, box.width};
    const auto offsets = offsets_of_27_points();
    const Carpool_Halo halo{1,           field,      shape.data(), width.data(),     width.data(),
                            MPI_ORDER_C, MPI_DOUBLE, 26,           offsets[0].data()};
    const auto info = bench::info_with({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(Carpool_Halo_init(&halo, box.cart, info.get(), &request));
    return bench::racer_of(std::string("Carpool halo, ") + algorithm, request);
}

/// The hand-written halo of many codes: one dimension after the other, both sides at once.
class ByDimension {
public:
    enum class Form { types, packed };

    ByDimension(HaloBox& box, Form form) : box_(box), form_(form) {
        for (int k = 0; k < 3; ++k)
            for (const int side : {-1, 1}) add(k, side);
    }
    ByDimension(const ByDimension&) = delete;
    ByDimension& operator=(const ByDimension&) = delete;
    ~ByDimension() {
        for (auto& request : requests_) MPI_Request_free(&request);
    }

    void run() {
        for (std::size_t phase = 0; phase < 3; ++phase) {
            auto* requests = &requests_[4 * phase];
            if (form_ == Form::packed)
                for (std::size_t m = 2 * phase; m < 2 * phase + 2; ++m) copy(m, true);
            check(MPI_Startall(4, requests));
            check(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
            if (form_ == Form::packed)
                for (std::size_t m = 2 * phase; m < 2 * phase + 2; ++m) copy(m, false);
        }
    }

private:
    struct Slab {
        Triple out, in, size;
        std::vector<double> sent, received;
    };

    void add(int k, int side) {
        auto& slab = *slabs_.emplace_back(std::make_unique<Slab>());
        Triple offset{};
        offset[std::size_t(k)] = side;
        for (int j = 0; j < 3; ++j) {
            const auto i = std::size_t(j);
            if (j < k) {
                slab.out[i] = slab.in[i] = 0;
                slab.size[i] = box_.whole();
            } else {
                std::tie(slab.out[i], slab.size[i]) = box_.leaving(offset[i]);
                slab.in[i] = box_.coming(offset[i]).first;
            }
        }
        const int target = box_.rank_at(offset, 1), source = box_.rank_at(offset, -1);
        const int tag = 2 * k + (side > 0 ? 1 : 0);
        auto& receive = requests_[2 * slabs_.size() - 2];
        auto& send = requests_[2 * slabs_.size() - 1];
        if (form_ == Form::types) {
            types_.push_back(box_.subarray(slab.in, slab.size));
            check(MPI_Recv_init(box_.cells.data(), 1, types_.back().get(), source, tag, box_.cart,
                                &receive));
            types_.push_back(box_.subarray(slab.out, slab.size));
            check(MPI_Send_init(box_.cells.data(), 1, types_.back().get(), target, tag, box_.cart,
                                &send));
            return;
        }
        const int count = slab.size[0] * slab.size[1] * slab.size[2];
        slab.sent.resize(std::size_t(count));
        slab.received.resize(std::size_t(count));
        check(MPI_Recv_init(slab.received.data(), count, MPI_DOUBLE, source, tag, box_.cart,
                            &receive));
        check(MPI_Send_init(slab.sent.data(), count, MPI_DOUBLE, target, tag, box_.cart, &send));
    }

    void copy(std::size_t number, bool out) {
        auto& slab = *slabs_[number];
        double* packed = (out ? slab.sent : slab.received).data();
        const auto& first = out ? slab.out : slab.in;
        const auto row = std::size_t(slab.size[2]);
        for (int x = 0; x < slab.size[0]; ++x)
            for (int y = 0; y < slab.size[1]; ++y, packed += row) {
                double* cells = &box_.cell(first[0] + x, first[1] + y, first[2]);
                std::memcpy(out ? packed : cells, out ? cells : packed, row * sizeof(double));
            }
    }

    HaloBox& box_;
    Form form_;
    std::vector<std::unique_ptr<Slab>> slabs_;
    std::vector<bench::DatatypeHandle> types_;
    std::vector<MPI_Request> requests_ = std::vector<MPI_Request>(12, MPI_REQUEST_NULL);
};

Racer by_dimension(HaloBox& box, ByDimension::Form form, const char* name) {
    const auto exchange = std::make_shared<ByDimension>(box, form);
    return {name, [exchange] { exchange->run(); }};
}

void race(MPI_Comm cart, int edge, int width, bench::Timing& timing) {
    HaloBox box(cart, edge, width);
    const HaloBlocks blocks(box, offsets_of_27_points());
    const auto graph = bench::graph_of(blocks);
    MPI_Comm iso = MPI_COMM_NULL;
    check(Carpool_Iso_neighborhood_create(cart, blocks.size(), blocks.offsets[0].data(), &iso));
    const bench::Communicator owned(iso);
    std::vector<Racer> racers;
    racers.push_back(bench::host_blocking(box, blocks, graph.get(), "host alltoallw"));
    racers.push_back(
        bench::host_persistent(box, blocks, graph.get(), "host alltoallw, persistent"));
    racers.push_back(by_dimension(box, ByDimension::Form::types, "by hand, datatypes"));
    racers.push_back(by_dimension(box, ByDimension::Form::packed, "by hand, packed"));
    racers.push_back(bench::carpool_request(box, blocks, iso, "Carpool alltoallw"));
    for (const char* algorithm : {"direct", "cartesian", "auto"})
        racers.push_back(carpool_halo(box, algorithm));
    for (const auto& racer : racers) {
        box.fill_owned();
        racer.run();
        box.check_halo(racer.name);
    }
    int rank = 0;
    check(MPI_Comm_rank(cart, &rank));
    bench::emit_race({{"case", "n" + std::to_string(edge) + "-w" + std::to_string(width)},
                      {"edge", edge},
                      {"width", width}},
                     racers, timing, cart, rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: halo SECONDS SEED EDGES WIDTHS");
    const auto cart = bench::cart_of_all();
    auto timing = bench::timing_of(argv);
    for (const int edge : bench::numbers(argv[3]))
        for (const int width : bench::numbers(argv[4])) race(cart.get(), edge, width, timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("halo", argc, argv, run); }
