// SPDX-License-Identifier: MIT
// Times calls whose arguments differ from call to call, as in programs whose counts change in every
// step: blocking and nonblocking calls, an init with its free, a call on a new duplicate. Sizes and
// roots are random, the same for the host MPI's calls and Carpool's, which run in alternate
// batches. Prints one JSON object per line: first the run, then each operation.
//
//     tools/launch -n 8 new_calls 40 1000                     40 batches each, up to 1000 bytes
//     tools/launch -n 8 new_calls 40 1000 bcast allgatherv

#include "check.hpp"
#include "program.hpp"
#include "report.hpp"
#include "statistics.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using bench::check;

/// The communicators and buffers of the calls.
struct Room {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm neighbors = MPI_COMM_NULL;  ///< a periodic grid of two dimensions
    int rank = 0;
    int ranks = 1;
    int most = 1;  ///< largest block, in bytes
    std::vector<char> send, recv;
    std::vector<int> send_counts, recv_counts, send_places, recv_places;
    std::vector<MPI_Aint> send_offsets, recv_offsets;
    std::vector<MPI_Datatype> types;

    explicit Room(int most_bytes) : most(most_bytes) {
        check(MPI_Comm_rank(comm, &rank));
        check(MPI_Comm_size(comm, &ranks));
        int dims[2] = {0, 0};
        const int periods[2] = {1, 1};
        check(MPI_Dims_create(ranks, 2, dims));
        check(MPI_Cart_create(comm, 2, dims, periods, 0, &neighbors));
        const auto blocks = static_cast<std::size_t>(std::max(ranks, 4));
        send.resize(std::max<std::size_t>(blocks * static_cast<std::size_t>(most + 8), 2048));
        recv = send;
        for (auto* const list : {&send_counts, &recv_counts, &send_places, &recv_places})
            list->resize(blocks);
        send_offsets.resize(blocks);
        recv_offsets.resize(blocks);
        types.assign(blocks, MPI_BYTE);
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room() { MPI_Comm_free(&neighbors); }

    /// Places block i of each side after i blocks of the largest size.
    void place(std::size_t blocks) {
        for (std::size_t i = 0; i < blocks; ++i) {
            send_places[i] = recv_places[i] = static_cast<int>(i) * most;
            send_offsets[i] = recv_offsets[i] = static_cast<MPI_Aint>(i) * most;
        }
    }
};

/// The arguments that change from call to call.
struct Step {
    std::uint64_t number;
    int bytes;
    int root;

    /// The size of the block that one rank sends to another; both ranks know it.
    int bytes_of(int from, int to, int most) const {
        std::minstd_rand random(static_cast<unsigned>(number * 977 + from * 131u + to * 17u + 1));
        random.discard(3);
        return 1 + static_cast<int>(random() % static_cast<unsigned>(most));
    }
    int ints() const { return 1 + bytes / 4; }
};

/// An operation by the host MPI's function and by Carpool's, which have the same signature.
struct Operation {
    std::string name;
    std::function<int(Room&, const Step&, bool ours)> call;
};

/// Sets the counts of the blocks that each rank sends to all, or receives from all.
void count_by_rank(Room& room, const Step& step, std::vector<int>& counts) {
    for (int i = 0; i < room.ranks; ++i)
        counts[static_cast<std::size_t>(i)] = step.bytes_of(i, 0, room.most);
}

void count_by_pair(Room& room, const Step& step) {
    for (int i = 0; i < room.ranks; ++i) {
        room.send_counts[static_cast<std::size_t>(i)] = step.bytes_of(room.rank, i, room.most);
        room.recv_counts[static_cast<std::size_t>(i)] = step.bytes_of(i, room.rank, room.most);
    }
}

/// Sets the same counts along both edges of a dimension, since on a short dimension they lead to
/// the same rank.
void count_by_edge(Room& room, const Step& step) {
    for (std::size_t i = 0; i < 4; ++i)
        room.send_counts[i] = room.recv_counts[i] =
            step.bytes_of(static_cast<int>(i / 2), 0, room.most);
}

template <typename Function>
Function either(bool ours, Function carpool, Function host) {
    return ours ? carpool : host;
}

/// Waits for a nonblocking call. @param begin  makes the call, with a request as its argument
template <typename Begin>
int waited(Begin begin) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(begin(&request));
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Calls a function such as MPI_Alltoallv, blocking or with a request, with the counts that are
/// set.
template <typename Function, typename... Request>
int exchanged(Room& r, MPI_Comm comm, Function function, Request... request) {
    return function(r.send.data(), r.send_counts.data(), r.send_places.data(), MPI_BYTE,
                    r.recv.data(), r.recv_counts.data(), r.recv_places.data(), MPI_BYTE, comm,
                    request...);
}

const std::vector<Operation>& operations() {
    static const std::vector<Operation> all{
        {"bcast",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Bcast, MPI_Bcast)(r.send.data(), s.bytes, MPI_BYTE, s.root,
                                                           r.comm);
         }},
        {"gather",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Gather, MPI_Gather)(r.send.data(), s.bytes, MPI_BYTE,
                                                             r.recv.data(), s.bytes, MPI_BYTE,
                                                             s.root, r.comm);
         }},
        {"gatherv",
         [](Room& r, const Step& s, bool ours) {
             count_by_rank(r, s, r.recv_counts);
             return either(ours, Carpool_Gatherv, MPI_Gatherv)(
                 r.send.data(), r.recv_counts[static_cast<std::size_t>(r.rank)], MPI_BYTE,
                 r.recv.data(), r.recv_counts.data(), r.recv_places.data(), MPI_BYTE, s.root,
                 r.comm);
         }},
        {"scatter",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Scatter, MPI_Scatter)(r.send.data(), s.bytes, MPI_BYTE,
                                                               r.recv.data(), s.bytes, MPI_BYTE,
                                                               s.root, r.comm);
         }},
        {"scatterv",
         [](Room& r, const Step& s, bool ours) {
             count_by_rank(r, s, r.send_counts);
             return either(ours, Carpool_Scatterv, MPI_Scatterv)(
                 r.send.data(), r.send_counts.data(), r.send_places.data(), MPI_BYTE, r.recv.data(),
                 r.send_counts[static_cast<std::size_t>(r.rank)], MPI_BYTE, s.root, r.comm);
         }},
        {"allgather",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Allgather, MPI_Allgather)(
                 r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes, MPI_BYTE, r.comm);
         }},
        {"allgatherv",
         [](Room& r, const Step& s, bool ours) {
             count_by_rank(r, s, r.recv_counts);
             return either(ours, Carpool_Allgatherv, MPI_Allgatherv)(
                 r.send.data(), r.recv_counts[static_cast<std::size_t>(r.rank)], MPI_BYTE,
                 r.recv.data(), r.recv_counts.data(), r.recv_places.data(), MPI_BYTE, r.comm);
         }},
        {"alltoall",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Alltoall, MPI_Alltoall)(
                 r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes, MPI_BYTE, r.comm);
         }},
        {"alltoallv",
         [](Room& r, const Step& s, bool ours) {
             count_by_pair(r, s);
             return exchanged(r, r.comm, either(ours, Carpool_Alltoallv, MPI_Alltoallv));
         }},
        {"alltoallw",
         [](Room& r, const Step& s, bool ours) {
             count_by_pair(r, s);
             return either(ours, Carpool_Alltoallw, MPI_Alltoallw)(
                 r.send.data(), r.send_counts.data(), r.send_places.data(), r.types.data(),
                 r.recv.data(), r.recv_counts.data(), r.recv_places.data(), r.types.data(), r.comm);
         }},
        {"reduce",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Reduce, MPI_Reduce)(r.send.data(), r.recv.data(), s.ints(),
                                                             MPI_INT, MPI_SUM, s.root, r.comm);
         }},
        {"allreduce",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Allreduce, MPI_Allreduce)(
                 r.send.data(), r.recv.data(), s.ints(), MPI_INT, MPI_SUM, r.comm);
         }},
        {"allreduce of doubles",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Allreduce, MPI_Allreduce)(
                 r.send.data(), r.recv.data(), 1 + s.bytes / 8, MPI_DOUBLE, MPI_SUM, r.comm);
         }},
        {"allreduce, 256 buffers",
         [](Room& r, const Step& s, bool ours) {
             const auto place = 4 * (s.number % 256);
             return either(ours, Carpool_Allreduce, MPI_Allreduce)(
                 r.send.data() + place, r.recv.data() + place, 16, MPI_INT, MPI_SUM, r.comm);
         }},
        {"reduce_scatter_block",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Reduce_scatter_block, MPI_Reduce_scatter_block)(
                 r.send.data(), r.recv.data(), s.ints(), MPI_INT, MPI_SUM, r.comm);
         }},
        {"reduce_scatter",
         [](Room& r, const Step& s, bool ours) {
             count_by_rank(r, s, r.recv_counts);
             for (auto& count : r.recv_counts) count = 1 + count / 4;
             return either(ours, Carpool_Reduce_scatter, MPI_Reduce_scatter)(
                 r.send.data(), r.recv.data(), r.recv_counts.data(), MPI_INT, MPI_SUM, r.comm);
         }},
        {"scan",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Scan, MPI_Scan)(r.send.data(), r.recv.data(), s.ints(),
                                                         MPI_INT, MPI_SUM, r.comm);
         }},
        {"exscan",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Exscan, MPI_Exscan)(r.send.data(), r.recv.data(), s.ints(),
                                                             MPI_INT, MPI_SUM, r.comm);
         }},
        {"neighbor_allgather",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Neighbor_allgather, MPI_Neighbor_allgather)(
                 r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes, MPI_BYTE, r.neighbors);
         }},
        {"neighbor_allgatherv",
         [](Room& r, const Step& s, bool ours) {
             for (std::size_t i = 0; i < 4; ++i) r.recv_counts[i] = s.bytes;
             return either(ours, Carpool_Neighbor_allgatherv, MPI_Neighbor_allgatherv)(
                 r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), r.recv_counts.data(),
                 r.recv_places.data(), MPI_BYTE, r.neighbors);
         }},
        {"neighbor_alltoall",
         [](Room& r, const Step& s, bool ours) {
             return either(ours, Carpool_Neighbor_alltoall, MPI_Neighbor_alltoall)(
                 r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes, MPI_BYTE, r.neighbors);
         }},
        {"neighbor_alltoallv",
         [](Room& r, const Step& s, bool ours) {
             count_by_edge(r, s);
             return exchanged(r, r.neighbors,
                              either(ours, Carpool_Neighbor_alltoallv, MPI_Neighbor_alltoallv));
         }},
        {"neighbor_alltoallw",
         [](Room& r, const Step& s, bool ours) {
             count_by_edge(r, s);
             return either(ours, Carpool_Neighbor_alltoallw, MPI_Neighbor_alltoallw)(
                 r.send.data(), r.send_counts.data(), r.send_offsets.data(), r.types.data(),
                 r.recv.data(), r.recv_counts.data(), r.recv_offsets.data(), r.types.data(),
                 r.neighbors);
         }},
        {"iallreduce",
         [](Room& r, const Step& s, bool ours) {
             return waited([&](MPI_Request* request) {
                 return either(ours, Carpool_Iallreduce, MPI_Iallreduce)(
                     r.send.data(), r.recv.data(), s.ints(), MPI_INT, MPI_SUM, r.comm, request);
             });
         }},
        {"ialltoallv",
         [](Room& r, const Step& s, bool ours) {
             count_by_pair(r, s);
             return waited([&](MPI_Request* request) {
                 return exchanged(r, r.comm, either(ours, Carpool_Ialltoallv, MPI_Ialltoallv),
                                  request);
             });
         }},
        {"ineighbor_alltoallv",
         [](Room& r, const Step& s, bool ours) {
             count_by_edge(r, s);
             return waited([&](MPI_Request* request) {
                 return exchanged(
                     r, r.neighbors,
                     either(ours, Carpool_Ineighbor_alltoallv, MPI_Ineighbor_alltoallv), request);
             });
         }},
        {"alltoall, made and freed",
         [](Room& r, const Step& s, bool ours) {
             if (!ours)
                 return MPI_Alltoall(r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes,
                                     MPI_BYTE, r.comm);
             Carpool_Request request = CARPOOL_REQUEST_NULL;
             check(Carpool_Alltoall_init(r.send.data(), s.bytes, MPI_BYTE, r.recv.data(), s.bytes,
                                         MPI_BYTE, r.comm, MPI_INFO_NULL, &request));
             check(Carpool_Start(&request));
             check(Carpool_Wait(&request, MPI_STATUS_IGNORE));
             return Carpool_Request_free(&request);
         }},
        {"duplicate, allreduce, free",
         [](Room& r, const Step&, bool ours) {
             MPI_Comm comm = MPI_COMM_NULL;
             check(MPI_Comm_dup(r.comm, &comm));
             check(either(ours, Carpool_Allreduce, MPI_Allreduce)(r.send.data(), r.recv.data(), 2,
                                                                  MPI_INT, MPI_SUM, comm));
             return MPI_Comm_free(&comm);
         }},
    };
    return all;
}

/// Seconds of the calls of one batch, on the slowest rank.
double batch(const Operation& operation, Room& room, std::uint64_t first, bool ours) {
    constexpr int calls = 50;
    std::minstd_rand random(static_cast<unsigned>(first) + 1);
    check(MPI_Barrier(room.comm));
    const double began = MPI_Wtime();
    for (std::uint64_t i = 0; i < calls; ++i) {
        const int bytes = 1 + static_cast<int>(random() % static_cast<unsigned>(room.most));
        const int root = static_cast<int>(random() % static_cast<unsigned>(room.ranks));
        check(operation.call(room, {first + i, bytes, root}, ours));
    }
    const double taken = (MPI_Wtime() - began) / calls;
    return bench::largest(taken, room.comm);
}

bench::json::object times_of(const Operation& operation, Room& room, int batches) {
    constexpr int cold = 4;  // batches that are not counted
    std::vector<double> host, ours;
    for (int i = 0; i < batches + cold; ++i) {
        const auto first = static_cast<std::uint64_t>(i) * 1000;
        const bool ours_first = i % 2 == 0;
        for (const bool is_ours : {ours_first, !ours_first}) {
            const double seconds = batch(operation, room, first, is_ours);
            if (i >= cold) (is_ours ? ours : host).push_back(seconds);
        }
    }
    return {{"event", "new calls"},
            {"operation", operation.name},
            {"host", to_json(bench::quartiles(host))},
            {"carpool", to_json(bench::quartiles(ours))},
            {"gain", to_json(bench::quartiles(bench::ratios(host, ours)))}};
}

void run(int argc, char** argv) {
    if (argc < 3) throw std::runtime_error("usage: new_calls BATCHES MOST_BYTES [OPERATION…]");
    const int batches = std::stoi(argv[1]);
    Room room(std::stoi(argv[2]));
    room.place(room.types.size());
    bench::emit_run({{"batches", batches}, {"most_bytes", room.most}}, room.comm);
    const std::vector<std::string> wanted(argv + 3, argv + argc);
    for (const auto& operation : operations())
        if (wanted.empty() || std::ranges::find(wanted, operation.name) != wanted.end())
            bench::emit(times_of(operation, room, batches), room.rank);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("new_calls", argc, argv, run); }
