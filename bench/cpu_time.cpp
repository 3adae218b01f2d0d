// SPDX-License-Identifier: MIT
// Times how much CPU time an all-to-all takes inside the calls, and separately how long it takes to
// complete ([5] figure 8): every rank starts it, computes, and tests now and then. Arguments:
// seconds of timing per case, seed, sizes of blocks.
//
//     tools/launch -n 64 cpu_time 1 1 8,76,476

#include "alike.hpp"
#include "computation.hpp"
#include "handle.hpp"
#include "personal.hpp"
#include "program.hpp"
#include "report.hpp"
#include "statistics.hpp"
#include "timing.hpp"

#include <carpool/sparse.h>
#include <mpi.h>

#include <ctime>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Personal;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// One form of the exchange, with a function that starts it and one that tests it.
struct Way {
    std::string name;
    std::function<void()> start;
    std::function<bool()> test;
    std::vector<double> cpu = {};         // seconds inside the calls, mean of all ranks
    std::vector<double> completion = {};  // seconds from start to end, on the slowest rank
};

Way host(Personal& p) {
    const auto request = std::make_shared<MPI_Request>(MPI_REQUEST_NULL);
    return {
        "host",
        [&p, request] {
            check(MPI_Ialltoallv(p.send.data(), p.send_counts.data(), p.send_displs.data(),
                                 MPI_BYTE, p.recv.data(), p.recv_counts.data(),
                                 p.recv_displs.data(), MPI_BYTE, MPI_COMM_WORLD, request.get()));
        },
        [request] {
            int flag = 0;
            check(MPI_Test(request.get(), &flag, MPI_STATUS_IGNORE));
            return flag != 0;
        }};
}

Way carpool(Personal& p, const char* algorithm) {
    const auto held = std::make_shared<bench::CarpoolRequest>(bench::alltoall_by(algorithm, p));
    return {bench::called(algorithm), [held] { check(Carpool_Start(held->address())); },
            [held] {
                int flag = 0;
                check(Carpool_Test(held->address(), &flag, MPI_STATUS_IGNORE));
                return flag != 0;
            }};
}

/// @note Collective
void run_once(Way& way, const bench::Computation& piece, int ranks) {
    double cpu = 0;
    const auto in_call = [&cpu](const auto& call) {
        const double start = cpu_seconds();
        const bool result = call();
        cpu += cpu_seconds() - start;
        return result;
    };
    check(MPI_Barrier(MPI_COMM_WORLD));
    const double start = MPI_Wtime();
    in_call([&way] { return way.start(), true; });
    while (!in_call(way.test)) piece.run([] {});
    const double completion = MPI_Wtime() - start;
    double sum = 0;
    check(MPI_Allreduce(&cpu, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    way.cpu.push_back(sum / ranks);
    way.completion.push_back(bench::largest(completion, MPI_COMM_WORLD));
}

/// All forms must deliver what the first one delivers. @note Collective
void verify(std::vector<Way>& ways, const bench::Computation& piece, Personal& p) {
    bench::Alike alike(p.recv, std::byte{0xA5});
    for (auto& way : ways) {
        alike.run(way.name, [&] { run_once(way, piece, p.size); });
        way.cpu.clear(), way.completion.clear();
    }
}

/// Runs all forms in turn, in a new random order in each repetition. @note Collective
void time_interleaved(std::vector<Way>& ways, bench::Timing& timing, Personal& p) {
    const bench::Computation piece(4000);  // about 10 microseconds
    verify(ways, piece, p);
    std::vector<std::size_t> order(ways.size());
    std::iota(order.begin(), order.end(), 0);
    const double begin = MPI_Wtime();
    for (int repetition = 0; repetition < 500; ++repetition) {
        std::shuffle(order.begin(), order.end(), timing.random);
        for (const auto i : order) run_once(ways[i], piece, p.size);
        const double spent = bench::largest(MPI_Wtime() - begin, MPI_COMM_WORLD);
        if (spent > timing.budget && repetition >= 5) return;
    }
}

void race(int bytes, bench::Timing& timing) {
    int size = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    Personal p(size - 1, bytes);
    std::vector<Way> ways{host(p)};
    for (const char* algorithm :
         {"spread", "mesh", "grid", "hypercube", "2-digits", "3-digits", "bruck", "star", "auto"})
        ways.push_back(carpool(p, algorithm));
    time_interleaved(ways, timing, p);
    bench::json::array racers;
    for (const auto& way : ways) {
        bench::json::object gain;
        for (const auto& other : ways) gain[other.name] = bench::ratio_json(other.cpu, way.cpu);
        racers.push_back({{"name", way.name},
                          {"seconds", bench::to_json(bench::quartiles(way.cpu))},
                          {"completion", bench::to_json(bench::quartiles(way.completion))},
                          {"gain", gain}});
    }
    bench::emit({{"event", "case"},
                 {"case", "complete, " + std::to_string(bytes) + " B"},
                 {"racers", std::move(racers)}},
                p.rank);
}

void run(int argc, char** argv) {
    if (argc != 4) throw std::runtime_error("usage: cpu_time SECONDS SEED SIZES");
    auto timing = bench::timing_of(argv);
    for (const int bytes : bench::numbers(argv[3])) race(bytes, timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("cpu_time", argc, argv, run); }
