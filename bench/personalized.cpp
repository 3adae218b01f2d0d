// SPDX-License-Identifier: MIT
// Times personalized communication ([5]'s figures 5 to 7, 10 and 11): Carpool's algorithms against
// the host MPI's forms and a hand-written persistent loop, interleaved. Arguments: seconds of
// timing per case, seed, patterns, sizes.
//
//     tools/launch -n 64 personalized 1 1 complete,neighbors:8,unknown:8 8,76,476
//
// complete: all to all. neighbors:D: rank i sends to i + 1 .. i + D, and both sides know it.
// unknown:D: the same, but the receivers do not know it.

#include "alike.hpp"
#include "handle.hpp"
#include "message_loop.hpp"
#include "personal.hpp"
#include "program.hpp"
#include "race.hpp"
#include "timing.hpp"
#include "unknown_forms.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Personal;
using bench::Racer;

Racer host(Personal& p) {
    return {"host", [&p] {
                check(MPI_Alltoallv(p.send.data(), p.send_counts.data(), p.send_displs.data(),
                                    MPI_BYTE, p.recv.data(), p.recv_counts.data(),
                                    p.recv_displs.data(), MPI_BYTE, MPI_COMM_WORLD));
            }};
}

Racer host_persistent(Personal& p) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Alltoallv_init(p.send.data(), p.send_counts.data(), p.send_displs.data(), MPI_BYTE,
                             p.recv.data(), p.recv_counts.data(), p.recv_displs.data(), MPI_BYTE,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    const auto held = std::make_shared<bench::HostRequest>(request);
    return {"host persistent", [held] {
                check(MPI_Start(held->address()));
                check(MPI_Wait(held->address(), MPI_STATUS_IGNORE));
            }};
}

Racer by_hand(Personal& p) {
    const auto loop = std::make_shared<bench::MessageLoop>(MPI_COMM_WORLD);
    for (std::size_t k = 0; k < p.sources.size(); ++k)
        loop->receive(p.recv.data() + p.displs[k], p.bytes, p.sources[k], 1);
    for (std::size_t k = 0; k < p.targets.size(); ++k)
        loop->send(p.send.data() + p.displs[k], p.bytes, p.targets[k], 1);
    loop->make_persistent();
    return {"by hand", [loop] { loop->run_persistent(); }};
}

Racer complete(Personal& p, const char* algorithm) {
    return bench::racer_of(bench::called(algorithm), bench::alltoall_by(algorithm, p));
}

Racer along_lists(Personal& p, const char* algorithm, const char* digits) {
    const bool counts = std::strcmp(algorithm, "digits") == 0;
    return bench::racer_of("Carpool " + (counts ? std::string(digits) + "-digits" : algorithm),
                           bench::lists_by(p, algorithm, digits));
}

std::vector<Racer> racers_of(const std::string& kind, Personal& p) {
    if (kind == "unknown")
        return {bench::host_unknown(p), bench::unknown(p, "direct", "2"),
                bench::unknown(p, "digits", "2"), bench::unknown(p, "digits", "3"),
                bench::unknown(p, "auto", "2")};
    std::vector<Racer> racers{host(p), host_persistent(p), by_hand(p)};
    if (kind == "complete") {
        for (const char* algorithm : {"spread", "mesh", "grid", "hypercube", "2-digits", "3-digits",
                                      "4-bruck", "bruck", "auto"})
            racers.push_back(complete(p, algorithm));
        return racers;
    }
    for (const char* rule : {"direct", "mesh", "grid", "hypercube", "auto"})
        racers.push_back(along_lists(p, rule, "2"));
    for (const char* digits : {"2", "3", "6"}) racers.push_back(along_lists(p, "digits", digits));
    return racers;
}

void race(const std::string& name, int bytes, bench::Timing& timing) {
    const auto words = bench::split(name, ':');
    int size = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    const int degree = words.size() == 2 ? std::min(size - 1, std::stoi(words[1])) : size - 1;
    Personal p(degree, bytes);
    const auto racers = racers_of(words[0], p);
    bench::Alike alike(p.recv, std::byte{0xA5});
    for (const auto& racer : racers) alike.run(racer.name, racer.run);
    bench::emit_race({{"case", name + ", " + std::to_string(bytes) + " B"},
                      {"pattern", name},
                      {"degree", degree},
                      {"block", bytes}},
                     racers, timing, MPI_COMM_WORLD, p.rank);
}

void run(int argc, char** argv) {
    if (argc != 5) throw std::runtime_error("usage: personalized SECONDS SEED PATTERNS SIZES");
    auto timing = bench::timing_of(argv);
    for (const auto& name : bench::split(argv[3], ','))
        for (const int bytes : bench::numbers(argv[4])) race(name, bytes, timing);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("personalized", argc, argv, run); }
