// SPDX-License-Identifier: MIT
#include "measured_problems.hpp"

#include "comm.hpp"
#include "exchange.hpp"

#include <carpool/collectives.h>
#include <carpool/halo.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace tune {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 26;  // of a rank's blocks

// The first sizes soon give a result for each magnitude; results hold within a factor of two. All
// problems are measured at the very first size, however long that takes.
constexpr int sizes[] = {8,   1024, 64,   16384, 256,   4096,   65536, 32,    128,
                         512, 2048, 8192, 16,    32768, 131072, 4,     262144};

/// An operation on a communicator, with a number of blocks: one for each rank or neighbor.
struct Problem {
    std::string operation;
    MPI_Comm comm;
    int blocks;
    std::function<int(const char* send, char* recv, int bytes, MPI_Comm, Carpool_Request*)> init;
};

/// Info that measures all candidates, also of sums that round.
MPI_Info measuring() {
    static const MPI_Info info = [] {
        MPI_Info made = MPI_INFO_NULL;
        check(MPI_Info_create(&made), "MPI_Info_create");
        check(MPI_Info_set(made, "carpool_choice", "measure"), "MPI_Info_set");
        return made;
    }();
    return info;
}

int doubles_in(int bytes) { return std::max(1, bytes / static_cast<int>(sizeof(double))); }

std::vector<Problem> of_all_ranks(MPI_Comm world) {
    const int ranks = size_of(world);
    const auto info = measuring();
    return {
        {"bcast", world, 1,
         [=](const char*, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Bcast_init(recv, n, MPI_BYTE, 0, comm, info, request);
         }},
        {"allgather", world, ranks,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Allgather_init(send, n, MPI_BYTE, recv, n, MPI_BYTE, comm, info,
                                           request);
         }},
        {"alltoall", world, ranks,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Alltoall_init(send, n, MPI_BYTE, recv, n, MPI_BYTE, comm, info,
                                          request);
         }},
        {"gather", world, ranks,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Gather_init(send, n, MPI_BYTE, recv, n, MPI_BYTE, 0, comm, info,
                                        request);
         }},
        {"allreduce of doubles", world, 2,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Allreduce_init(send, recv, doubles_in(n), MPI_DOUBLE, MPI_SUM, comm,
                                           info, request);
         }},
        {"reduce of doubles", world, 2,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Reduce_init(send, recv, doubles_in(n), MPI_DOUBLE, MPI_SUM, 0, comm,
                                        info, request);
         }},
        {"scatter", world, ranks,
         [=](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
             return Carpool_Scatter_init(send, n, MPI_BYTE, recv, n, MPI_BYTE, 0, comm, info,
                                         request);
         }},
    };
}

/// A torus of all ranks with a named stencil.
MPI_Comm torus_of(MPI_Comm world, int dimensions, const std::string& stencil, int& neighbors) {
    constexpr int most_offsets = 32;
    std::vector<int> offsets(static_cast<std::size_t>(most_offsets * dimensions));
    std::vector<int> dims(static_cast<std::size_t>(dimensions));
    const std::vector<int> periods(dims.size(), 1);
    const auto text = stencil + ' ' + std::to_string(dimensions) + " 1";
    MPI_Dims_create(size_of(world), dimensions, dims.data());
    int found = 0;
    check(Carpool_Stencil(text.c_str(), most_offsets, &found, &neighbors, offsets.data()),
          "Carpool_Stencil");
    MPI_Comm torus = MPI_COMM_NULL;
    check(
        Carpool_Cart_neighborhood_create(world, dimensions, dims.data(), periods.data(), neighbors,
                                         offsets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &torus),
        "Carpool_Cart_neighborhood_create");
    return torus;
}

void add_neighborhoods(MPI_Comm world, std::vector<Problem>& problems) {
    for (const std::string stencil : {"moore", "von_neumann"})
        for (const int dimensions : {2, 3}) {
            int neighbors = 0;
            const MPI_Comm torus = torus_of(world, dimensions, stencil, neighbors);
            const auto on = " on " + stencil + ' ' + std::to_string(dimensions) + "D";
            problems.push_back(
                {"neighbor_alltoall" + on, torus, neighbors,
                 [](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
                     return Carpool_Neighbor_alltoall_init(send, n, MPI_BYTE, recv, n, MPI_BYTE,
                                                           comm, measuring(), request);
                 }});
            problems.push_back(
                {"neighbor_allgather" + on, torus, neighbors,
                 [](const char* send, char* recv, int n, MPI_Comm comm, Carpool_Request* request) {
                     return Carpool_Neighbor_allgather_init(send, n, MPI_BYTE, recv, n, MPI_BYTE,
                                                            comm, measuring(), request);
                 }});
        }
}

/// The algorithm or rule of a request, as its init has measured.
std::string found(const Problem& problem, int bytes) {
    const auto length = static_cast<std::size_t>(problem.blocks) * static_cast<std::size_t>(bytes);
    const std::vector<char> send(length);
    std::vector<char> recv(length);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(problem.init(send.data(), recv.data(), bytes, problem.comm, &request), "init");
    Carpool_Plan plan;
    check(Carpool_Request_get_plan(request, &plan), "Carpool_Request_get_plan");
    check(Carpool_Request_free(&request), "Carpool_Request_free");
    return plan.algorithm;
}

/// The seconds passed, by the clock of rank 0.
double seconds_since(double begin, MPI_Comm world) {
    double passed = MPI_Wtime() - begin;
    MPI_Bcast(&passed, 1, MPI_DOUBLE, 0, world);
    return passed;
}

}  // namespace

void measure_problems(MPI_Comm world, double seconds,
                      const std::function<void(const Finding&)>& tell) {
    const double begin = MPI_Wtime();
    auto problems = of_all_ranks(world);
    add_neighborhoods(world, problems);
    const auto all = static_cast<double>(std::size(sizes) * problems.size());
    double done = 0;
    for (const int bytes : sizes)
        for (const auto& problem : problems) {
            const double passed = seconds_since(begin, world) / seconds;
            if (passed > 1 && bytes != sizes[0]) return;
            done += 1 / all;
            if (std::int64_t{bytes} * problem.blocks > most_bytes) continue;
            const double part = std::clamp(passed, done, 1.);
            tell({problem.operation, bytes, found(problem, bytes), part});
        }
}

}  // namespace tune
