// SPDX-License-Identifier: MIT
// Measures the machine that it runs on, for `carpool tune`. Prints JSON, an object per line: first
// the MPI and the ranks, then {"done": part} now and then, and the results.
//
//     carpool-tune costs ROUNDS        times exchanges at each level; at the end an equation per
//                                      exchange (messages, bytes, phases, seconds), and the times
//                                      of messages of several shapes by the transports between
//                                      which cut-offs decide; and what copies and sums cost
//     carpool-tune algorithms SECONDS  lets requests measure the fastest algorithms, which
//                                      CARPOOL_TUNING keeps, and prints them
//     carpool-tune versions            prints those of library, MPI and compiler; needs no mpiexec

#include "assumption.hpp"
#include "blocks.hpp"
#include "choose/cut_offs.hpp"
#include "comm.hpp"
#include "measured_problems.hpp"
#include "samples.hpp"
#include "ways.hpp"

#include <carpool/carpool.h>
#include <mpi.h>
#include <boost/json.hpp>

#include <cstddef>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace json = boost::json;
using namespace carpool;

/// Prints a line on rank 0.
void say(const json::object& line) {
    if (tune::rank_in(MPI_COMM_WORLD) == 0)
        std::cout << json::serialize(line) << '\n' << std::flush;
}

json::object usual_cut_offs(const std::string& mpi, double ranks_per_core) {
    const auto& usual = choose::usual_cut_offs(mpi.starts_with("Open MPI"), ranks_per_core > 1);
    json::object result;
    for (const auto& [name, member] : choose::named_cut_offs) result[name] = usual.*member;
    return result;
}

/// Rank 0 takes part at every level.
json::object line_of(const tune::Sample& sample) {
    const auto [messages, bytes, phases, seconds] = sample.equation();
    return {{"work", sample.work()}, {"level", sample.level().name},
            {"messages", messages},  {"bytes", bytes},
            {"phases", phases},      {"seconds", seconds}};
}

/// A message that found no shared memory did not use the transport to be timed.
json::object line_of(const tune::Way& way) {
    const auto& [parts, pieces, bytes] = way.message();
    const auto went = tune::most(static_cast<double>(way.plan().without_memory), way.level().comm);
    return {{"way", way.name()},
            {"parts", parts},
            {"pieces", pieces},
            {"bytes", bytes},
            {"seconds", went > 0 ? json::value(nullptr) : json::value(way.seconds())}};
}

template <class Exchanges>
void time(const Exchanges& exchanges) {
    for (const auto& exchange : exchanges) {
        if (exchange) exchange->time();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

template <class Exchanges>
void tell(const Exchanges& exchanges) {
    for (const auto& exchange : exchanges)
        if (exchange) say(line_of(*exchange));
}

void measure_costs(int rounds) {
    const auto levels = tune::levels_of(MPI_COMM_WORLD);
    if (levels.empty()) throw std::runtime_error("needs three ranks on each node, or three nodes");
    const auto mpi = tune::name_of_mpi();
    const auto ranks_per_core = levels.front().ranks_per_core;
    say({{"mpi", mpi},
         {"ranks", tune::size_of(MPI_COMM_WORLD)},
         {"ranks_per_core", ranks_per_core},
         {"usual_cut_offs", usual_cut_offs(mpi, ranks_per_core)}});
    const auto samples = tune::samples_of(levels);
    const auto ways = tune::ways_of(levels);
    for (int round = 0; round < rounds; ++round) {
        time(samples);
        time(ways);
        say({{"done", (round + 1.0) / rounds}});
    }
    tell(samples);
    tell(ways);
    const auto [copy, sum] = tune::block_costs(MPI_COMM_WORLD);
    say({{"copy_per_byte", copy}, {"sum_per_byte", sum}});
}

void find_algorithms(double seconds) {
    say({{"mpi", tune::name_of_mpi()}, {"ranks", tune::size_of(MPI_COMM_WORLD)}});
    tune::measure_problems(MPI_COMM_WORLD, seconds, [](const tune::Finding& found) {
        say({{"operation", found.operation}, {"bytes", found.bytes}, {"taken", found.taken}});
        say({{"done", found.done}});
    });
}

/// The version of the library that is loaded, which need not be the one whose header was compiled.
std::string version_of_library() {
    int major = 0, minor = 0, patch = 0;
    Carpool_Get_version(&major, &minor, &patch);
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

/// MPI need not be initialized for any of these.
void print_versions() {
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0, version = 0, subversion = 0;
    MPI_Get_library_version(mpi, &length);
    MPI_Get_version(&version, &subversion);
    std::cout << json::serialize(json::object{
                     {"library", version_of_library()},
                     {"mpi", std::string(mpi)},
                     {"standard", std::to_string(version) + '.' + std::to_string(subversion)},
                     {"compiler", CARPOOL_COMPILER}})
              << '\n';
}

void run(const std::vector<std::string>& words) {
    if (words.size() == 2 && words[0] == "costs") return measure_costs(std::stoi(words[1]));
    if (words.size() == 2 && words[0] == "algorithms") return find_algorithms(std::stod(words[1]));
    throw std::runtime_error("usage: carpool-tune costs ROUNDS | algorithms SECONDS | versions");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "versions") {
        print_versions();
        return 0;
    }
    MPI_Init(&argc, &argv);
    try {
        run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "carpool-tune: " << error.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return MPI_Finalize();
}
