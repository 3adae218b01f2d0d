// SPDX-License-Identifier: MIT
// ranks: 6 8
// environment: CARPOOL_TEST_NODES=3
// sanitize-ranks: 6
//
// Ordinary collectives in which only the two ends of a message know its size, with ranks on several
// nodes: the first call settles the algorithm, which may forward blocks, with length headers; long
// blocks are sent by rendezvous messages.

#include <boost/test/unit_test.hpp>

#include "byte_sides.hpp"
#include "environment.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "seed.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>

#include <array>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_collectives_of_unknown_sizes)

namespace {

using namespace carpool::tests;

constexpr int calls = 40;

std::vector<int> all_ranks() {
    std::vector<int> ranks(static_cast<std::size_t>(world_size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

ByteSide nothing() { return {{}, {}}; }

/// The blocks of one rank in a call, and the forms of the call.
struct Alltoallv : ByteSides {
    static constexpr const char* name = "alltoallv";
    Alltoallv(const Traffic& traffic, int)
        : ByteSides{{all_ranks(), traffic.sent_by(world_rank())},
                    {all_ranks(), traffic.received_by(world_rank())}} {}

    int blocking(MPI_Comm comm) {
        return Carpool_Alltoallv(send.memory.data(), send.counts.data(), send.displs.data(),
                                 MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                 recv.displs.data(), MPI_BYTE, comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        return Carpool_Ialltoallv(send.memory.data(), send.counts.data(), send.displs.data(),
                                  MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                  recv.displs.data(), MPI_BYTE, comm, request);
    }
};

struct Alltoallw : Alltoallv {
    static constexpr const char* name = "alltoallw";
    using Alltoallv::Alltoallv;

    int blocking(MPI_Comm comm) {
        const std::vector<MPI_Datatype> types(send.counts.size(), MPI_BYTE);
        return Carpool_Alltoallw(send.memory.data(), send.counts.data(), send.displs.data(),
                                 types.data(), recv.memory.data(), recv.counts.data(),
                                 recv.displs.data(), types.data(), comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        const std::vector<MPI_Datatype> types(send.counts.size(), MPI_BYTE);
        return Carpool_Ialltoallw(send.memory.data(), send.counts.data(), send.displs.data(),
                                  types.data(), recv.memory.data(), recv.counts.data(),
                                  recv.displs.data(), types.data(), comm, request);
    }
};

/// A datatype that sends the second half of a block before the first.
Type halves(int bytes) {
    const std::array lengths{bytes - bytes / 2, bytes / 2};
    const std::array places{bytes / 2, 0};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_indexed(2, lengths.data(), places.data(), MPI_BYTE, &type);
    return committed(type);
}

/// Each block is one element of its own datatype.
struct AlltoallwOfHalves : Alltoallv {
    static constexpr const char* name = "alltoallw";
    using Alltoallv::Alltoallv;

    int blocking(MPI_Comm comm) {
        const auto sent = types_of(send);
        const auto received = types_of(recv);
        return Carpool_Alltoallw(send.memory.data(), ones().data(), send.displs.data(),
                                 handles(sent).data(), recv.memory.data(), ones().data(),
                                 recv.displs.data(), handles(received).data(), comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        const auto sent = types_of(send);
        const auto received = types_of(recv);
        return Carpool_Ialltoallw(send.memory.data(), ones().data(), send.displs.data(),
                                  handles(sent).data(), recv.memory.data(), ones().data(),
                                  recv.displs.data(), handles(received).data(), comm, request);
    }

private:
    static std::vector<Type> types_of(const ByteSide& side) {
        std::vector<Type> types;
        for (const int count : side.counts) types.push_back(halves(count));
        return types;
    }
    static std::vector<MPI_Datatype> handles(const std::vector<Type>& types) {
        return {types.begin(), types.end()};
    }
    static std::vector<int> ones() {
        return std::vector<int>(static_cast<std::size_t>(world_size()), 1);
    }
};

/// Each block is replaced by that of the other rank, which has the same length.
struct AlltoallvInPlace : Alltoallv {
    static constexpr const char* name = "alltoallv";
    AlltoallvInPlace(const Traffic& traffic, int root) : Alltoallv(symmetric(traffic), root) {}

    void prepare(int start) {
        Alltoallv::prepare(start);
        recv.memory = send.memory;
    }
    int blocking(MPI_Comm comm) {
        return Carpool_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL,
                                 recv.memory.data(), recv.counts.data(), recv.displs.data(),
                                 MPI_BYTE, comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        return Carpool_Ialltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL,
                                  recv.memory.data(), recv.counts.data(), recv.displs.data(),
                                  MPI_BYTE, comm, request);
    }

private:
    static Traffic symmetric(Traffic traffic) {
        const auto at = [&](int origin, int target) -> int& {
            return traffic.bytes[static_cast<std::size_t>(origin * traffic.ranks + target)];
        };
        for (int origin = 0; origin < traffic.ranks; ++origin)
            for (int target = 0; target < origin; ++target) at(origin, target) = at(target, origin);
        return traffic;
    }
};

struct Gatherv : ByteSides {
    static constexpr const char* name = "gatherv";
    Gatherv(const Traffic& traffic, int to)
        : ByteSides{
              {{to}, {traffic(world_rank(), to)}},
              world_rank() == to ? ByteSide(all_ranks(), traffic.received_by(to)) : nothing()},
          root(to) {}

    int blocking(MPI_Comm comm) {
        return Carpool_Gatherv(&send.memory[static_cast<std::size_t>(send.displs[0])],
                               send.counts[0], MPI_BYTE, recv.memory.data(), recv.counts.data(),
                               recv.displs.data(), MPI_BYTE, root, comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        return Carpool_Igatherv(&send.memory[static_cast<std::size_t>(send.displs[0])],
                                send.counts[0], MPI_BYTE, recv.memory.data(), recv.counts.data(),
                                recv.displs.data(), MPI_BYTE, root, comm, request);
    }

    int root;
};

struct Scatterv : ByteSides {
    static constexpr const char* name = "scatterv";
    Scatterv(const Traffic& traffic, int from)
        : ByteSides{world_rank() == from ? ByteSide(all_ranks(), traffic.sent_by(from)) : nothing(),
                    {{from}, {traffic(from, world_rank())}}},
          root(from) {}

    int blocking(MPI_Comm comm) {
        return Carpool_Scatterv(send.memory.data(), send.counts.data(), send.displs.data(),
                                MPI_BYTE, &recv.memory[static_cast<std::size_t>(recv.displs[0])],
                                recv.counts[0], MPI_BYTE, root, comm);
    }
    int nonblocking(MPI_Comm comm, MPI_Request* request) {
        return Carpool_Iscatterv(send.memory.data(), send.counts.data(), send.displs.data(),
                                 MPI_BYTE, &recv.memory[static_cast<std::size_t>(recv.displs[0])],
                                 recv.counts[0], MPI_BYTE, root, comm, request);
    }

    int root;
};

std::string latest_algorithm(MPI_Comm comm, const char* operation) {
    Carpool_Plan plan{};
    BOOST_TEST(Carpool_Comm_get_plan(comm, operation, &plan) == MPI_SUCCESS);
    return plan.algorithm;
}

/// Short blocks, and some that are too long to be forwarded; some calls have only one of both, or
/// none.
Traffic drawn(std::mt19937& rng) {
    const auto& names = traffic_names();
    return traffic_of(names[rng() % names.size()], world_size(), rng, 1 << 18);
}

/// Returns the algorithms of the calls.
template <typename What>
std::set<std::string> deliver(int root) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    std::set<std::string> ways;
    for (int call = 0; call < calls; ++call) {
        What exchange(drawn(rng), root);
        exchange.prepare(call);
        MPI_Request request = MPI_REQUEST_NULL;
        const int code =
            call % 7 == 6 ? exchange.nonblocking(comm, &request) : exchange.blocking(comm);
        BOOST_TEST(code == MPI_SUCCESS, What::name << ": " << text_of(code));
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        const auto fault = exchange.fault();
        BOOST_TEST(fault == "", What::name << ", call " << call << ": " << fault);
        ways.insert(latest_algorithm(comm, What::name));
    }
    return ways;
}

/// Sets an algorithm in the environment: all calls use it except the first, in which ranks agree on
/// it.
template <typename What>
void deliver_passed_on(const char* variable, const char* algorithm, int root = 0) {
    const Environment asked_for(variable, algorithm);
    BOOST_TEST(deliver<What>(root) == std::set<std::string>{algorithm});
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_call_is_right) {
    deliver<Alltoallv>(0);
    deliver<AlltoallwOfHalves>(0);
    for (const int root : {0, world_size() - 1}) {
        deliver<Gatherv>(root);
        deliver<Scatterv>(root);
    }
}

/// The algorithm of all alltoallvs with blocks of so many bytes, but the first on a communicator.
std::string settled_by(int bytes) {
    const auto comm = duplicate_of_world();
    Carpool_Barrier(comm);
    const auto pairs = all_ranks().size() * all_ranks().size();
    const Traffic traffic{"equal", world_size(), std::vector<int>(pairs, bytes)};
    std::set<std::string> algorithms;
    for (int call = 0; call < 3; ++call) {
        Alltoallv exchange(traffic, 0);
        exchange.prepare(call);
        BOOST_TEST(exchange.blocking(comm) == MPI_SUCCESS);
        BOOST_TEST(exchange.fault() == "");
        algorithms.insert(latest_algorithm(comm, "alltoallv"));
    }
    BOOST_TEST_REQUIRE(algorithms.size() == 1U);
    return *algorithms.begin();
}

/// Short blocks are combined between nodes. Long ones of few ranks per node are not.
BOOST_AUTO_TEST_CASE(costs_settle_the_algorithm_by_the_sizes_of_the_first_call) {
    BOOST_TEST(settled_by(8).starts_with("node"));
    if (world_size() == 6) BOOST_TEST(settled_by(1 << 18) == "spread");
}

/// Nonblocking calls that begin before an earlier one has settled the algorithm wait for it.
BOOST_AUTO_TEST_CASE(first_calls_may_be_outstanding_together) {
    const auto comm = duplicate_of_world();
    auto rng = seeded();
    std::vector<Alltoallv> exchanges;
    for (int i = 0; i < 5; ++i) exchanges.emplace_back(drawn(rng), 0);
    Gatherv gatherv(drawn(rng), 0);
    std::vector<MPI_Request> requests(exchanges.size() + 1, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        exchanges[i].prepare(static_cast<int>(i));
        BOOST_TEST(exchanges[i].nonblocking(comm, &requests[i]) == MPI_SUCCESS);
    }
    gatherv.prepare(0);
    BOOST_TEST(gatherv.nonblocking(comm, &requests.back()) == MPI_SUCCESS);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const auto& exchange : exchanges) BOOST_TEST(exchange.fault() == "");
    BOOST_TEST(gatherv.fault() == "");
}

BOOST_AUTO_TEST_CASE(each_call_is_right_by_an_algorithm_in_the_environment) {
    for (const char* algorithm : {"bruck", "node"}) {
        deliver_passed_on<Alltoallv>("CARPOOL_ALLTOALL", algorithm);
        deliver_passed_on<AlltoallvInPlace>("CARPOOL_ALLTOALL", algorithm);
        deliver_passed_on<Alltoallw>("CARPOOL_ALLTOALL", algorithm);
        deliver_passed_on<AlltoallwOfHalves>("CARPOOL_ALLTOALL", algorithm);
    }
    for (const char* algorithm : {"linear", "binomial", "node"})
        for (const int root : {0, world_size() / 2, world_size() - 1}) {
            deliver_passed_on<Gatherv>("CARPOOL_GATHER", algorithm, root);
            deliver_passed_on<Scatterv>("CARPOOL_SCATTER", algorithm, root);
        }
}

BOOST_AUTO_TEST_SUITE_END()
