// SPDX-License-Identifier: MIT
// A program whose calls go through a library for Fortran (for_fortran.c), which it loads when it
// has begun, as a module of Python does; with LD_PRELOAD it is there before.
#include <mpi.h>

#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int times = 40;

template <typename Function>
Function* function_of(void* library, const char* name) {
    auto* const address = library != nullptr ? dlsym(library, name) : nullptr;
    if (address == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return reinterpret_cast<Function*>(address);
}

using Alltoall = void(void*, const MPI_Fint*, const MPI_Fint*, void*, const MPI_Fint*,
                      const MPI_Fint*, const MPI_Fint*, MPI_Fint*);
using AlltoallInit = void(void*, const MPI_Fint*, const MPI_Fint*, void*, const MPI_Fint*,
                          const MPI_Fint*, const MPI_Fint*, const MPI_Fint*, MPI_Fint*, MPI_Fint*);
using Start = void(MPI_Fint*, MPI_Fint*);
using Wait = void(MPI_Fint*, MPI_Status*, MPI_Fint*);

/// Values that tell the step, the sender and the receiver.
struct Blocks {
    int rank = 0;
    std::vector<int> sent, received;

    explicit Blocks(MPI_Comm comm) {
        int ranks = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        sent.resize(static_cast<std::size_t>(ranks));
        received.resize(sent.size());
    }

    void fill(int step) {
        for (int i = 0; auto& value : sent) value = 10000 * step + 100 * rank + i++;
        received.assign(sent.size(), -1);
    }

    void check(int step) const {
        for (int i = 0; const int value : received) {
            if (value == 10000 * step + 100 * i++ + rank) continue;
            std::fprintf(stderr, "step %d, rank %d: %d from rank %d\n", step, rank, value, i - 1);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto* const library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    auto* const alltoall = function_of<Alltoall>(library, "mpi_alltoall_");
    auto* const alltoall_init = function_of<AlltoallInit>(library, "mpi_alltoall_init_");
    auto* const start = function_of<Start>(library, "mpi_start_");
    auto* const wait = function_of<Wait>(library, "mpi_wait_");
    auto* const request_free = function_of<Start>(library, "mpi_request_free_");

    Blocks blocks(MPI_COMM_WORLD);
    const MPI_Fint one = 1, type = MPI_Type_c2f(MPI_INT), info = MPI_Info_c2f(MPI_INFO_NULL);
    const MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Fint request = 0, code = 0;
    alltoall_init(blocks.sent.data(), &one, &type, blocks.received.data(), &one, &type, &comm,
                  &info, &request, &code);
    for (int step = 0; step < times; ++step) {
        blocks.fill(step);
        start(&request, &code);
        wait(&request, MPI_STATUS_IGNORE, &code);
        blocks.check(step);
        blocks.fill(-step);
        alltoall(blocks.sent.data(), &one, &type, blocks.received.data(), &one, &type, &comm,
                 &code);
        blocks.check(-step);
    }
    request_free(&request, &code);
    if (MPI_Request_f2c(request) != MPI_REQUEST_NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}
