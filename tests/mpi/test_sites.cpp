// ranks: 4 6
// nightly-ranks: 8
// environment: CARPOOL_TRANSPORT=mpi
// program: own
// sanitize-ranks: none
//
// Call sites: the first init at one tries, counted by its messages, and later ones remember.

#include <boost/test/unit_test.hpp>

#include "count_messages.hpp"
#include "environment.hpp"
#include "graph_place.hpp"
#include "refusal.hpp"
#include "stage.hpp"
#include "world.hpp"

#include <carpool/collectives.h>
#include <carpool/sparse.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

using Init = std::function<int(int bytes, MPI_Comm, MPI_Info, Carpool_Request*)>;

Pattern torus_pattern() { return moore(2, 1); }

/// Blocks of so many bytes between all ranks, one byte more for the next rank.
struct Blocks {
    explicit Blocks(int bytes) : ranks(static_cast<std::size_t>(world_size())) {
        for (int rank = 0; rank < world_size(); ++rank) {
            peers.push_back(rank);
            const bool next = rank == (world_rank() + 1) % world_size();
            const bool last = world_rank() == (rank + 1) % world_size();
            send_counts.push_back(bytes + (next ? 1 : 0));
            recv_counts.push_back(bytes + (last ? 1 : 0));
            displs.push_back(rank * (bytes + 1));
        }
        memory.resize(2 * ranks * static_cast<std::size_t>(bytes + 1));
    }
    char* send() { return memory.data(); }
    char* recv() { return memory.data() + memory.size() / 2; }

    std::size_t ranks;
    std::vector<int> peers, send_counts, recv_counts, displs;
    std::vector<char> memory;
};

int alltoallv(int bytes, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<Blocks>> kept;  // requests name the memory
    auto& b = *kept.emplace_back(std::make_unique<Blocks>(bytes));
    return Carpool_Alltoallv_init(b.send(), b.send_counts.data(), b.displs.data(), MPI_BYTE,
                                  b.recv(), b.recv_counts.data(), b.displs.data(), MPI_BYTE, comm,
                                  info, request);
}

int along_lists(int bytes, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<Blocks>> kept;
    auto& b = *kept.emplace_back(std::make_unique<Blocks>(bytes));
    return Carpool_Sparse_alltoallv_init(
        world_size(), b.peers.data(), b.send(), b.send_counts.data(), b.displs.data(), MPI_BYTE,
        world_size(), b.peers.data(), b.recv(), b.recv_counts.data(), b.displs.data(), MPI_BYTE,
        comm, info, request);
}

int along_edges(int bytes, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<Blocks>> kept;
    auto& b = *kept.emplace_back(std::make_unique<Blocks>(bytes));
    return Carpool_Neighbor_alltoallv_init(b.send(), b.send_counts.data(), b.displs.data(),
                                           MPI_BYTE, b.recv(), b.recv_counts.data(),
                                           b.displs.data(), MPI_BYTE, comm, info, request);
}

int allreduce(int bytes, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<Blocks>> kept;
    auto& b = *kept.emplace_back(std::make_unique<Blocks>(bytes));
    return Carpool_Allreduce_init(b.send(), b.recv(), bytes, MPI_CHAR, MPI_MAX, comm, info,
                                  request);
}

/// On a torus that the ranks have declared.
int declared(int bytes, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<std::vector<char>>> kept;
    const auto room = static_cast<std::size_t>(2 * torus_pattern().t() * bytes);
    auto& memory = *kept.emplace_back(std::make_unique<std::vector<char>>(room));
    return Carpool_Neighbor_alltoall_init(memory.data(), bytes, MPI_BYTE, memory.data() + room / 2,
                                          bytes, MPI_BYTE, comm, info, request);
}

/// Of two rows of so many cells per rank.
int halo_exchange(int cells, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    static std::vector<std::unique_ptr<std::vector<char>>> kept;
    const int shape[] = {2, cells}, width[] = {1, 1};
    const auto room = static_cast<std::size_t>((2 + 2) * (cells + 2));
    void* const field = kept.emplace_back(std::make_unique<std::vector<char>>(room))->data();
    const auto stencil = torus_pattern();
    const Carpool_Halo halo{
        1, &field, shape, width, width, MPI_ORDER_C, MPI_BYTE, stencil.t(), stencil.offsets.data()};
    return Carpool_Halo_init(&halo, comm, info, request);
}

/// What an init sends on all ranks, and the algorithm that it takes.
struct Outcome {
    int messages;
    std::string algorithm;
};

Outcome outcome_of(const Init& init, int bytes, MPI_Comm comm, const char* site) {
    const auto info = info_of({{"carpool_site", site}, {"carpool_alpha", "1"}});
    MPI_Barrier(MPI_COMM_WORLD);
    tally = {};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST_REQUIRE(init(bytes, comm, info, &request) == MPI_SUCCESS);
    Outcome outcome{tally.messages, algorithm_of(request)};
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    MPI_Allreduce(MPI_IN_PLACE, &outcome.messages, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return outcome;
}

Comm complete_graph() {
    Neighbors n;
    for (int rank = 0; rank < world_size(); ++rank) n.targets.push_back(rank);
    n.sources = n.targets;
    return distributed_graph(n);
}

Comm torus() { return neighborhood(torus_of(2), torus_pattern()); }

struct Named {
    std::string name;
    Init init;
    Comm (*make_comm)() = complete_graph;
};
const std::vector<Named> inits{{"alltoallv", alltoallv},      {"along lists", along_lists},
                               {"along edges", along_edges},  {"allreduce", allreduce},
                               {"declared", declared, torus}, {"halo", halo_exchange, torus}};

/// One that tries sends at least ten starts of each of two candidates more.
bool tries(const Outcome& outcome, const Outcome& remembered) {
    return outcome.messages >= remembered.messages + 20 * world_size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_sites)

BOOST_AUTO_TEST_CASE(the_first_init_at_a_site_tries_and_the_others_remember) {
    for (const auto& [name, init, make_comm] : inits) {
        const auto comm = make_comm();
        const auto first = outcome_of(init, 64, comm, "solver");
        const auto second = outcome_of(init, 64, comm, "solver");
        const auto near = outcome_of(init, 70, comm, "solver");
        BOOST_TEST(tries(first, second), name << first.messages << " " << second.messages);
        BOOST_TEST(first.algorithm == second.algorithm, name);
        BOOST_TEST(first.algorithm == near.algorithm, name);
        BOOST_TEST(!tries(near, second), name);
    }
}

BOOST_AUTO_TEST_CASE(other_sizes_sites_and_communicators_are_tried_anew) {
    for (const auto& [name, init, make_comm] : inits) {
        const auto comm = make_comm();
        outcome_of(init, 64, comm, "solver");
        const auto known = outcome_of(init, 64, comm, "solver");
        BOOST_TEST(tries(outcome_of(init, 1024, comm, "solver"), known), name);
        BOOST_TEST(tries(outcome_of(init, 64, comm, "output"), known), name);
        const auto other = make_comm();
        outcome_of(init, 8, other, "output");  // what is planned and opened once
        BOOST_TEST(tries(outcome_of(init, 64, other, "solver"), known), name);
    }
}

BOOST_AUTO_TEST_CASE(the_environment_names_a_site_for_all_inits) {
    const Environment site("CARPOOL_SITE", "program");
    const auto comm = complete_graph();
    std::vector<int> messages;
    for (int call = 0; call < 2; ++call) {
        MPI_Barrier(MPI_COMM_WORLD);
        tally = {};
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST(alltoallv(64, comm, MPI_INFO_NULL, &request) == MPI_SUCCESS);
        messages.push_back(tally.messages);
        Carpool_Request_free(&request);
    }
    BOOST_TEST(messages[0] > messages[1]);
}

BOOST_AUTO_TEST_CASE(ranks_that_name_different_sites_have_an_error) {
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto info = info_of({{"carpool_site", world_rank() == 0 ? "here" : "there"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const int code = alltoallv(64, comm, info, &request);
    BOOST_TEST_REQUIRE(code != MPI_SUCCESS);
    const auto text = text_of(code);
    BOOST_TEST((text.find("carpool_site") != std::string::npos), text);
}

BOOST_AUTO_TEST_SUITE_END()
