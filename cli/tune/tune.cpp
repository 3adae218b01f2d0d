// Times exchanges at each level of the machine that it runs on, for `carpool tune` to fit costs to.
// Prints JSON, an object per line: first what runs, then {"round": k} after each round of all
// samples, last an equation per sample: messages, bytes, phases, seconds.
// Argument: rounds.

#include "choose/tuning_text.hpp"
#include "comm.hpp"
#include "samples.hpp"

#include <mpi.h>
#include <boost/json.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace json = boost::json;

/// On rank 0.
void say(const json::object& line) {
    if (tune::rank_in(MPI_COMM_WORLD) == 0) std::cout << json::serialize(line) << std::endl;
}

std::string name_of_mpi() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    return carpool::choose::name_of_mpi({version, static_cast<std::size_t>(length)});
}

/// Rank 0 takes part at every level.
json::object line_of(const tune::Sample& sample) {
    const auto [messages, bytes, phases, seconds] = sample.equation();
    return {{"work", sample.work()}, {"level", sample.level().name},
            {"messages", messages},  {"bytes", bytes},
            {"phases", phases},      {"seconds", seconds}};
}

void run(int rounds) {
    const auto levels = tune::levels_of(MPI_COMM_WORLD);
    if (levels.empty()) throw std::runtime_error("needs three ranks on each node, or three nodes");
    say({{"mpi", name_of_mpi()},
         {"ranks", tune::size_of(MPI_COMM_WORLD)},
         {"ranks_per_core", levels.front().ranks_per_core}});
    const auto samples = tune::samples_of(levels);
    for (int round = 0; round < rounds; ++round) {
        for (const auto& sample : samples) {
            if (sample) sample->time();
            MPI_Barrier(MPI_COMM_WORLD);
        }
        say({{"round", round}});
    }
    for (const auto& sample : samples)
        if (sample) say(line_of(*sample));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        if (argc != 2) throw std::runtime_error("usage: carpool-tune ROUNDS");
        run(std::stoi(argv[1]));
    } catch (const std::exception& error) {
        std::cerr << "carpool-tune: " << error.what() << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return MPI_Finalize();
}
