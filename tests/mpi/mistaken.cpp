// SPDX-License-Identifier: MIT
// One rank makes a different call from all others, or none. Errors are fatal, which is MPI's
// default. Run by tests/tools/test_errors_between_ranks.py: mistaken NAME.

#include "kinds_of_calls.hpp"
#include "ring_calls.hpp"

#include <carpool/collectives.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace carpool::tests;

/// The buffers of all calls.
struct Numbers {
    std::vector<int> sent = std::vector<int>(2 * ranks(), 1);
    std::vector<int> received = std::vector<int>(2 * ranks());
    std::vector<int> counts = std::vector<int>(ranks(), 1);
    std::vector<int> displs = std::vector<int>(ranks());

    Numbers() { std::iota(displs.begin(), displs.end(), 0); }
    static std::size_t ranks() { return static_cast<std::size_t>(world_size()); }
};

/// A call on a ring of all ranks. @param wrong  whether this rank makes the mistake
using Call = std::function<void(MPI_Comm ring, Numbers& n, bool wrong)>;

int top() { return world_size() - 1; }

/// Lasts until the file is there that the test names, else for two seconds.
void be_late() {
    const char* const file = std::getenv("CARPOOL_TEST_LATE_UNTIL");
    const auto step = file != nullptr ? std::chrono::milliseconds(10) : std::chrono::seconds(2);
    do std::this_thread::sleep_for(step);
    while (file != nullptr && !std::filesystem::exists(file));
}

const std::map<std::string, Call>& ordinary() {
    static const std::map<std::string, Call> calls{
        {"root of bcast",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Bcast(n.received.data(), 1, MPI_INT, wrong ? top() : 0, comm);
         }},
        {"root of gather",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Gather(n.sent.data(), 1, MPI_INT, n.received.data(), 1, MPI_INT,
                            wrong ? top() : 0, comm);
         }},
        {"operator of allreduce",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Allreduce(n.sent.data(), n.received.data(), 1, MPI_INT,
                               wrong ? MPI_MAX : MPI_SUM, comm);
         }},
        {"count of allreduce",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Allreduce(n.sent.data(), n.received.data(), wrong ? 2 : 1, MPI_INT, MPI_SUM,
                               comm);
         }},
        {"no element of allgather",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             const int count = wrong ? 0 : 1;
             Carpool_Allgather(n.sent.data(), count, MPI_INT, n.received.data(), count, MPI_INT,
                               comm);
         }},
        {"counts of allgatherv",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             if (wrong) n.counts.back() = 0;
             Carpool_Allgatherv(n.sent.data(), 1, MPI_INT, n.received.data(), n.counts.data(),
                                n.displs.data(), MPI_INT, comm);
         }},
        {"count of scatterv",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Scatterv(n.sent.data(), n.counts.data(), n.displs.data(), MPI_INT,
                              n.received.data(), wrong ? 0 : 1, MPI_INT, 0, comm);
         }},
        {"exscan for scan",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             (wrong ? Carpool_Exscan : Carpool_Scan)(n.sent.data(), n.received.data(), 1, MPI_INT,
                                                     MPI_SUM, comm);
         }},
        {"barrier for bcast",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             if (wrong)
                 Carpool_Barrier(comm);
             else
                 Carpool_Bcast(n.received.data(), 1, MPI_INT, 0, comm);
         }},
        {"no allreduce",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             if (wrong)
                 MPI_Barrier(comm);
             else
                 Carpool_Allreduce(n.sent.data(), n.received.data(), 1, MPI_INT, MPI_SUM, comm);
         }},
        {"late",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             if (wrong) be_late();
             Carpool_Allreduce(n.sent.data(), n.received.data(), 1, MPI_INT, MPI_SUM, comm);
         }},
        {"nonblocking late", [](MPI_Comm comm, Numbers& n, bool wrong) {
             Carpool_Barrier(comm);  // Open MPI's own collectives do any call before it
             if (wrong) be_late();
             MPI_Request request;
             Carpool_Iallreduce(n.sent.data(), n.received.data(), 1, MPI_INT, MPI_SUM, comm,
                                &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE);
         }}};
    return calls;
}

/// Calls on a duplicate of the ring that has been freed before.
const std::map<std::string, Call>& on_freed() {
    static const auto freed = [](MPI_Comm comm) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Comm_dup(comm, &copy);
        Carpool_Barrier(copy);
        const MPI_Comm handle = copy;
        MPI_Comm_free(&copy);
        return handle;
    };
    static const std::map<std::string, Call> calls{
        {"barrier on a freed communicator",
         [](MPI_Comm comm, Numbers&, bool wrong) {
             const MPI_Comm gone = freed(comm);
             Carpool_Barrier(wrong ? gone : comm);
         }},
        {"ibarrier on a freed communicator",
         [](MPI_Comm comm, Numbers&, bool wrong) {
             const MPI_Comm gone = freed(comm);
             MPI_Request request = MPI_REQUEST_NULL;
             Carpool_Ibarrier(wrong ? gone : comm, &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE);
         }},
        {"barrier_init on a freed communicator", [](MPI_Comm comm, Numbers&, bool wrong) {
             const MPI_Comm gone = freed(comm);
             Carpool_Request request = CARPOOL_REQUEST_NULL;
             Carpool_Barrier_init(wrong ? gone : comm, MPI_INFO_NULL, &request);
             Carpool_Request_free(&request);
         }}};
    return calls;
}

RingCall of_ring(Numbers& n, bool gathers, bool lists) {
    return {gathers, lists, 1, MPI_INT, n.sent.data()};
}

const std::map<std::string, Call>& of_neighbors() {
    static const std::map<std::string, Call> calls{
        {"negative count",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             auto call = of_ring(n, false, false);
             if (wrong) call.count = -1;
             RingBuffers buffers(0);
             called(call, buffers, comm);
         }},
        {"count of neighbor_alltoall",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             auto call = of_ring(n, false, false);
             if (wrong) call.count = 2;
             RingBuffers buffers(0);
             called(call, buffers, comm);
         }},
        {"counts of neighbor_alltoallv",
         [](MPI_Comm comm, Numbers& n, bool wrong) {
             auto call = of_ring(n, false, true);
             if (wrong) call.count = 0;
             RingBuffers buffers(0);
             called(call, buffers, comm);
         }},
        {"neighbor_allgather for neighbor_alltoall", [](MPI_Comm comm, Numbers& n, bool wrong) {
             RingBuffers buffers(0);
             called(of_ring(n, wrong, false), buffers, comm);
         }}};
    return calls;
}

/// Makes calls of two kinds, by a name such as "sparse_exchange for alltoall".
bool made_as_kinds(const std::string& name, MPI_Comm comm, bool wrong) {
    for (const auto& one : kinds_of_calls())
        for (const auto& other : kinds_of_calls()) {
            if (name != other.name + " for " + one.name) continue;
            (wrong ? other : one).call(comm);
            return true;
        }
    return false;
}

void make(const std::string& name, MPI_Comm comm, Numbers& n, bool wrong) {
    for (const auto* calls : {&ordinary(), &on_freed(), &of_neighbors()})
        if (const auto found = calls->find(name); found != calls->end())
            return found->second(comm, n, wrong);
    if (made_as_kinds(name, comm, wrong)) return;
    std::fprintf(stderr, "mistaken: there is no mistake '%s'\n", name.c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
}

}  // namespace

/// @param argv  the name of a mistake, and how many right calls precede it
int main(int argc, char* argv[]) {
    MPI_Init(&argc, &argv);
    {
        const std::string name = argc > 1 ? argv[1] : "";
        const int before = argc > 2 ? std::stoi(argv[2]) : 0;
        const auto ring = graph_ring();
        for (int call = 0; call <= before; ++call) {
            Numbers numbers;
            make(name, ring, numbers, call == before && world_rank() == 1);
        }
    }
    MPI_Finalize();
    return 0;
}
