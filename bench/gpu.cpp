// SPDX-License-Identifier: MIT
// Times forms that fill the halo of a 27-point stencil in 3-D, whose cells lie in memory of a GPU,
// interleaved, and before that a launch of the kernel that packs. Each form is checked first. All
// ranks share the first GPU. Arguments: seconds of timing per case, seed, edges of the local cube.
//
//     tools/launch -n 2 gpu 2 1 16,32,64,128,256

#include "gpu.hpp"
#include "gpu_halo.hpp"
#include "halo_blocks.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <carpool/halo.h>
#include <mpi.h>

#include <dlfcn.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using bench::call_alltoallw;
using bench::check;
using bench::Gpu;
using bench::GpuBox;
using bench::HaloBlocks;
using bench::HaloBox;
using bench::Racer;
using bench::StagedByHand;
using bench::Triple;
using carpool::device::Copies;

Racer staged(GpuBox& box, StagedByHand::Form form, const char* name) {
    const auto exchange = std::make_shared<StagedByHand>(box, form);
    return {name, [exchange] { exchange->run(); }};
}

Racer alltoallw_request(void* cells, const HaloBlocks& blocks, MPI_Comm comm, const char* name) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(call_alltoallw(Carpool_Neighbor_alltoallw_init, cells, blocks, comm, MPI_INFO_NULL,
                         &request));
    return bench::racer_of(name, request);
}

Racer alltoallw_call(void* cells, const HaloBlocks& blocks, MPI_Comm comm) {
    return {"Carpool alltoallw, blocking", [cells, &blocks, comm] {
                check(call_alltoallw(Carpool_Neighbor_alltoallw, cells, blocks, comm));
            }};
}

/// Whether the host MPI says that it takes memory of CUDA.
bool host_takes_gpu_memory() {
    using Query = int();
    auto* const query = reinterpret_cast<Query*>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
    return query != nullptr && query() == 1;
}

Racer host_alltoallw(void* cells, const HaloBlocks& blocks, MPI_Comm comm) {
    return {"host alltoallw", [cells, &blocks, comm] {
                check(call_alltoallw(MPI_Neighbor_alltoallw, cells, blocks, comm));
            }};
}

void race(const Gpu& gpu, MPI_Comm cart, int edge, bench::Timing& timing) {
    HaloBox on_host(cart, edge, 1);
    GpuBox box(gpu, on_host);
    const HaloBlocks blocks(on_host, bench::offsets_of_27_points());
    const auto graph = bench::graph_of(blocks);
    MPI_Comm iso = MPI_COMM_NULL;
    check(Carpool_Iso_neighborhood_create(cart, blocks.size(), blocks.offsets[0].data(), &iso));
    const bench::Communicator owned(iso);
    std::vector<Racer> racers;
    racers.push_back(staged(box, StagedByHand::Form::one_launch, "by hand, one staged buffer"));
    racers.push_back(staged(box, StagedByHand::Form::copy_per_block, "by hand, a copy per block"));
    if (host_takes_gpu_memory())
        racers.push_back(host_alltoallw(box.pointer(), blocks, graph.get()));
    racers.push_back(alltoallw_request(box.pointer(), blocks, iso, "Carpool alltoallw"));
    racers.push_back(alltoallw_call(box.pointer(), blocks, iso));
    for (const auto& racer : racers) {
        box.fill();
        racer.run();
        box.check(racer.name);
    }
    racers.push_back(alltoallw_request(on_host.cells.data(), blocks, iso, "Carpool on the host"));
    int rank = 0;
    check(MPI_Comm_rank(cart, &rank));
    bench::emit_race({{"case", "n" + std::to_string(edge)}, {"edge", edge}}, racers, timing, cart,
                     rank);
}

/// From a launch of the kernel until the host sees that it has packed so many bytes.
Racer launch(const Gpu& gpu, std::size_t bytes) {
    struct Memory {
        Memory(const Gpu& of, std::size_t length) : there(of, length), here(of, length) {}
        bench::GpuMemory there;
        bench::PinnedMemory here;
    };
    const auto memory = std::make_shared<Memory>(gpu, bytes);
    const auto copies = std::make_shared<Copies>(
        *carpool::device::Device::of(memory->there.pointer()), Copies::Direction::from_device);
    const auto length = static_cast<std::int64_t>(bytes);
    copies->become({{static_cast<std::byte*>(memory->there.pointer()), memory->here.get(), length,
                     length, length, 1}});
    return {"pack of " + std::to_string(bytes) + " B", [memory, copies] {
                copies->start(nullptr);
                while (!copies->ended()) continue;
            }};
}

void time_launches(const Gpu& gpu, bench::Timing& timing, MPI_Comm cart) {
    std::vector<Racer> racers;
    for (const std::size_t bytes : {8, 4096, 65536, 1 << 20}) racers.push_back(launch(gpu, bytes));
    int rank = 0;
    check(MPI_Comm_rank(cart, &rank));
    bench::emit_race({{"case", "launch"}}, racers, timing, cart, rank);
}

void run(int argc, char** argv) {
    if (argc != 4) throw std::runtime_error("usage: gpu SECONDS SEED EDGES");
    const Gpu gpu;
    const auto cart = bench::cart_of_all();
    int rank = 0;
    check(MPI_Comm_rank(cart.get(), &rank));
    auto timing = bench::timing_of(argv);
    bench::emit({{"event", "gpu"}, {"name", gpu.name()}, {"driver", gpu.version()}}, rank);
    time_launches(gpu, timing, cart.get());
    for (const int edge : bench::numbers(argv[3])) race(gpu, cart.get(), edge, timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("gpu", argc, argv, run); }
