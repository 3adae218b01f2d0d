// ranks: 2 5
// program: own
// environment: CARPOOL_TRANSPORT=mpi
// sanitize-ranks: 3
//
// Blocking calls that are left to MPI's own where the user lets them and that is the fastest.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "graph_place.hpp"
#include "handles.hpp"
#include "slow_messages.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

std::string algorithm_of_call(MPI_Comm comm, const std::string& operation) {
    Carpool_Plan plan{};
    BOOST_TEST(Carpool_Comm_get_plan(comm, operation.c_str(), &plan) == MPI_SUCCESS);
    return plan.algorithm;
}

Comm copy_of_world() {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return Comm(made);
}

/// A collective function, called with values that differ from call to call, and checked.
struct Tried {
    std::string operation;
    std::function<bool(int call)> is_right;
};

std::size_t ranks() { return static_cast<std::size_t>(world_size()); }
int value(int call, int from, int to) { return 10000 * call + 100 * from + to; }

std::vector<Tried> all_kinds(MPI_Comm comm) {
    const int me = world_rank(), size = world_size(), root = size - 1;
    const int of_ranks = size * (size - 1) / 2;
    return {{"barrier", [=](int) { return Carpool_Barrier(comm) == MPI_SUCCESS; }},
            {"bcast",
             [=](int call) {
                 int word = me == root ? call : -1;
                 Carpool_Bcast(&word, 1, MPI_INT, root, comm);
                 return word == call;
             }},
            {"gather",
             [=](int call) {
                 std::vector<int> all(me == root ? ranks() : 0);
                 const int mine = value(call, me, 0);
                 Carpool_Gather(&mine, 1, MPI_INT, all.data(), 1, MPI_INT, root, comm);
                 for (std::size_t i = 0; i < all.size(); ++i)
                     if (all[i] != value(call, static_cast<int>(i), 0)) return false;
                 return true;
             }},
            {"scatter",
             [=](int call) {
                 std::vector<int> all(ranks());
                 for (std::size_t i = 0; i < all.size(); ++i) all[i] = value(call, 0, int(i));
                 int mine = -1;
                 Carpool_Scatter(all.data(), 1, MPI_INT, &mine, 1, MPI_INT, root, comm);
                 return mine == value(call, 0, me);
             }},
            {"allgather",
             [=](int call) {
                 std::vector<int> all(ranks(), -1);
                 all[static_cast<std::size_t>(me)] = value(call, me, 0);
                 Carpool_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT,
                                   comm);
                 for (std::size_t i = 0; i < all.size(); ++i)
                     if (all[i] != value(call, static_cast<int>(i), 0)) return false;
                 return true;
             }},
            {"alltoall",
             [=](int call) {
                 std::vector<int> sent(ranks()), received(ranks(), -1);
                 for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = value(call, me, int(i));
                 Carpool_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm);
                 for (std::size_t i = 0; i < sent.size(); ++i)
                     if (received[i] != value(call, int(i), me)) return false;
                 return true;
             }},
            {"reduce",
             [=](int call) {
                 const int mine = call + me;
                 int sum = 0;
                 Carpool_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, root, comm);
                 return me != root || sum == size * call + of_ranks;
             }},
            {"allreduce",
             [=](int call) {
                 int sum = call + me;
                 Carpool_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == size * call + of_ranks;
             }},
            {"scan",
             [=](int call) {
                 const int mine = call + me;
                 int sum = 0;
                 Carpool_Scan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == (me + 1) * call + me * (me + 1) / 2;
             }},
            {"exscan",
             [=](int call) {
                 const int mine = call + me;
                 int sum = -1;
                 Carpool_Exscan(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
                 return me == 0 || sum == me * call + me * (me - 1) / 2;
             }},
            {"reduce_scatter_block", [=](int call) {
                 std::vector<int> sent(ranks());
                 std::iota(sent.begin(), sent.end(), call);
                 int sum = -1;
                 Carpool_Reduce_scatter_block(sent.data(), &sum, 1, MPI_INT, MPI_SUM, comm);
                 return sum == size * (call + me);
             }}};
}

BOOST_AUTO_TEST_SUITE(test_call_trial_host)

/// What MPI sends does not pass our delay.
BOOST_AUTO_TEST_CASE(calls_of_every_kind_are_left_to_mpi_where_measure_is_given) {
    const Environment measured("CARPOOL_CHOICE", "measure");
    const auto comm = copy_of_world();
    delay = std::chrono::milliseconds(1);
    for (const auto& tried : all_kinds(comm)) {
        doing(tried.operation);
        for (int call = 0; call < 60; ++call) {
            MPI_Barrier(MPI_COMM_WORLD);  // who comes late would be taken for slow
            BOOST_TEST(tried.is_right(call), tried.operation << ", call " << call);
        }
        BOOST_TEST(same_everywhere(algorithm_of_call(comm, tried.operation) == "host"));
    }
    delay = {};
    BOOST_TEST(algorithm_of_call(comm, "alltoall") == "host");
}

BOOST_AUTO_TEST_CASE(calls_are_left_to_mpi_from_the_second_on_where_host_is_given) {
    const Environment hosted("CARPOOL_CHOICE", "host");
    const auto comm = copy_of_world();
    Carpool_Barrier(comm);
    for (const auto& tried : all_kinds(comm)) {
        doing(tried.operation);
        for (int call = 0; call < 4; ++call) BOOST_TEST(tried.is_right(call));
        BOOST_TEST(algorithm_of_call(comm, tried.operation) == "host");
    }
}

BOOST_AUTO_TEST_CASE(no_call_is_left_to_mpi_where_nothing_is_given) {
    const auto comm = copy_of_world();
    delay = std::chrono::milliseconds(1);
    for (const auto& tried : all_kinds(comm))
        for (int call = 0; call < 40; ++call) {
            BOOST_TEST(tried.is_right(call));
            BOOST_TEST(algorithm_of_call(comm, tried.operation) != "host");
        }
    delay = {};
}

/// Whatever the datatype: MPI's own takes it.
BOOST_AUTO_TEST_CASE(calls_on_neighborhoods_are_left_to_mpi) {
    const Environment hosted("CARPOOL_CHOICE", "host");
    const auto comm = distributed_graph(ring());
    const int source = around(-1);
    MPI_Datatype made;
    MPI_Type_vector(2, 1, 2, MPI_INT, &made);
    const auto gapped = committed(made);
    for (int call = 0; call < 8; ++call) {
        const int sent[] = {value(call, world_rank(), 0), -7, value(call, world_rank(), 1)};
        int received[] = {-1, -1, -1}, gathered = -1;
        Carpool_Neighbor_alltoall(sent, 1, gapped, received, 1, gapped, comm);
        BOOST_TEST(received[0] == value(call, source, 0));
        BOOST_TEST(received[1] == -1);
        BOOST_TEST(received[2] == value(call, source, 1));
        Carpool_Neighbor_allgather(sent, 1, MPI_INT, &gathered, 1, MPI_INT, comm);
        BOOST_TEST(gathered == value(call, source, 0));
    }
    BOOST_TEST(algorithm_of_call(comm, "neighbor_alltoall") == "host");
    BOOST_TEST(algorithm_of_call(comm, "neighbor_allgather") == "host");
}

/// A rank sits in MPI's own collective while others wait for blocks that it is to pass on.
BOOST_AUTO_TEST_CASE(what_is_under_way_goes_on_while_mpi_does_a_call) {
    const Environment hosted("CARPOOL_CHOICE", "host");
    const auto comm = copy_of_world();
    for (int call = 0; call < 40; ++call) {
        int sum = 0, total = world_rank();
        const int mine = world_rank();
        MPI_Request request = MPI_REQUEST_NULL;
        Carpool_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
        if ((world_rank() + call) % 2 == 0) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            Carpool_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, comm);
        } else {
            Carpool_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, MPI_SUM, comm);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        BOOST_TEST(sum == world_size() * (world_size() - 1) / 2);
        BOOST_TEST(total == sum);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
