// ranks: 1 2 4
// sanitize-ranks: 2
//
// What users mistake: texts say which function was called, where a value comes from and which ranks
// differ; what would end in wrong results or a crash is refused.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "operators.hpp"
#include "refusal.hpp"
#include "stage.hpp"
#include "standard_error.hpp"
#include "world.hpp"

#include <carpool/collectives.h>
#include <carpool/halo.h>
#include <carpool/sparse.h>

#include <array>
#include <numeric>

namespace {

using namespace carpool::tests;

bool i_am_last() { return world_rank() == world_size() - 1; }
std::string last_rank() { return "on rank " + std::to_string(world_size() - 1); }

/// A graph that is no grid: rank 0 and each other rank.
Comm star() {
    std::vector<int> peers(static_cast<std::size_t>(world_rank() == 0 ? world_size() - 1 : 1));
    std::iota(peers.begin(), peers.end(), world_rank() == 0 ? 1 : 0);
    if (world_size() == 1) peers.clear();
    const int degree = static_cast<int>(peers.size());
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, peers.data(), MPI_UNWEIGHTED, degree,
                                   peers.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    return Comm(comm);
}

int allreduce_init(const void* send, void* recv, int count, MPI_Op op, MPI_Info info,
                   Carpool_Request* request) {
    return Carpool_Allreduce_init(send, recv, count, MPI_INT, op, MPI_COMM_WORLD, info, request);
}

/// Where errors of no communicator go.
void return_errors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_mistakes)

// ---- texts ----

BOOST_AUTO_TEST_CASE(errors_name_the_function_whose_arguments_are_wrong) {
    const Stage stage(torus_of(1), moore(1, 1));
    const std::array<int, 2> wrong{1, -1}, counts{1, 1}, displs{0, 1};
    std::array<int, 2> sent{}, received{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto complaint = [](const std::string& name) {
        return Complaint{MPI_ERR_COUNT, {name + ": ", "sendcounts[1] is -1, expected at least 0"}};
    };
    expect_refusal("blocking", stage.cart, complaint("Carpool_Neighbor_alltoallv"), [&] {
        return Carpool_Neighbor_alltoallv(sent.data(), wrong.data(), displs.data(), MPI_INT,
                                          received.data(), counts.data(), displs.data(), MPI_INT,
                                          stage.cart);
    });
    expect_refusal("nonblocking", stage.cart, complaint("Carpool_Ineighbor_alltoallv"), [&] {
        MPI_Request once = MPI_REQUEST_NULL;
        const int code = Carpool_Ineighbor_alltoallv(sent.data(), wrong.data(), displs.data(),
                                                     MPI_INT, received.data(), counts.data(),
                                                     displs.data(), MPI_INT, stage.cart, &once);
        return code != MPI_SUCCESS ? code : MPI_Wait(&once, MPI_STATUS_IGNORE);
    });
    const auto name = "Carpool_Neighbor_alltoallv_init";
    expect_refusal("persistent", stage.cart, complaint(name), [&] {
        return Carpool_Neighbor_alltoallv_init(sent.data(), wrong.data(), displs.data(), MPI_INT,
                                               received.data(), counts.data(), displs.data(),
                                               MPI_INT, stage.cart, MPI_INFO_NULL, &request);
    });
    expect_refusal("completion", MPI_COMM_SELF, {MPI_ERR_REQUEST, {"Carpool_Start: request"}},
                   [&] { return Carpool_Start(&request); });
}

BOOST_AUTO_TEST_CASE(errors_say_whether_a_setting_is_in_the_info_or_the_environment) {
    int one = 1, sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto info = info_of({{"carpool_segment", "0"}});
    expect_refusal("info", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE, {"carpool_segment in the info is '0', expected bytes"}},
                   [&] { return allreduce_init(&one, &sum, 1, MPI_SUM, info, &request); });
    const Environment environment("CARPOOL_SEGMENT", "wide");
    expect_refusal("environment", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE,
                    {"carpool_segment in the environment (CARPOOL_SEGMENT) is 'wide', expected"}},
                   [&] { return allreduce_init(&one, &sum, 1, MPI_SUM, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(an_init_names_a_rank_for_each_of_two_values) {
    if (world_size() == 1) return;
    std::array<int, 2> numbers{}, sums{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("counts", MPI_COMM_WORLD, {MPI_ERR_ARG, {"is 4 on rank 0 and 8 " + last_rank()}},
                   [&] {
                       return allreduce_init(numbers.data(), sums.data(), i_am_last() ? 2 : 1,
                                             MPI_SUM, MPI_INFO_NULL, &request);
                   });
    const auto info = info_of({{"carpool_alpha", i_am_last() ? "0.25" : "0.5"},
                               {"carpool_beta", "0"},
                               {"carpool_sigma", "0"}});
    expect_refusal(
        "costs", MPI_COMM_WORLD,
        {MPI_ERR_ARG, {"carpool_alpha", "is 0.5 on rank 0 and 0.25 " + last_rank()}},
        [&] { return allreduce_init(numbers.data(), sums.data(), 1, MPI_SUM, info, &request); });
    const auto rule = info_of({{"carpool_algorithm", i_am_last() ? "ring" : "spread"}});
    expect_refusal(
        "rules", MPI_COMM_WORLD,
        {MPI_ERR_ARG, {"carpool_algorithm", "spread on rank 0 and ring " + last_rank()}},
        [&] { return allreduce_init(numbers.data(), sums.data(), 1, MPI_SUM, rule, &request); });
}

BOOST_AUTO_TEST_CASE(an_init_names_a_rank_for_each_size_where_some_ranks_guess) {
    if (world_size() == 1) return;
    const Stage line(mesh_of(1), moore(1, 1));
    std::array<int, 4> sent{}, received{};
    const int count = world_rank() == 0 ? 2 : 1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("a mesh", line.cart, {MPI_ERR_ARG, {"size in bytes", "on rank 0", "on rank 1"}},
                   [&] {
                       return Carpool_Neighbor_alltoall_init(sent.data(), count, MPI_INT,
                                                             received.data(), count, MPI_INT,
                                                             line.cart, MPI_INFO_NULL, &request);
                   });
}

BOOST_AUTO_TEST_CASE(an_init_names_two_ranks_of_which_one_sends_what_the_other_does_not_expect) {
    if (world_size() == 1) return;
    const auto ranks = static_cast<std::size_t>(world_size());
    std::vector<int> out(2 * ranks), in(2 * ranks), ones(ranks, 1), displs(ranks);
    std::iota(displs.begin(), displs.end(), 0);
    auto counts = ones;
    if (i_am_last()) counts.front() = 2;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const Complaint complaint{MPI_ERR_ARG,
                              {"rank 0: counts and datatypes expect 4 bytes from rank " +
                               std::to_string(world_size() - 1) + ", which sends 8"}};
    expect_refusal("alltoallv", MPI_COMM_WORLD, complaint, [&] {
        return Carpool_Alltoallv_init(out.data(), counts.data(), displs.data(), MPI_INT, in.data(),
                                      ones.data(), displs.data(), MPI_INT, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request);
    });
    expect_refusal("gatherv", MPI_COMM_WORLD, complaint, [&] {
        return Carpool_Gatherv_init(out.data(), counts.front(), MPI_INT, in.data(), ones.data(),
                                    displs.data(), MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                    &request);
    });
    const Complaint scattered{MPI_ERR_ARG,
                              {"rank " + std::to_string(world_size() - 1) + ": counts and",
                               "expect 8 bytes from rank 0, which sends 4"}};
    expect_refusal("scatterv", MPI_COMM_WORLD, scattered, [&] {
        return Carpool_Scatterv_init(out.data(), ones.data(), displs.data(), MPI_INT, in.data(),
                                     counts.front(), MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request);
    });
}

// ---- operators ----

BOOST_AUTO_TEST_CASE(operators_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    const Stage stage(torus_of(1), moore(1, 1));
    const auto own = op_of(add_spread, true);
    int one = 1, sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    for (const MPI_Op there : {MPI_MAX, static_cast<MPI_Op>(own)}) {
        const auto op = i_am_last() ? there : MPI_SUM;
        const auto name = there == MPI_MAX ? "MPI_MAX" : "a user's operator that commutes";
        const Complaint complaint{
            MPI_ERR_ARG, {"op is MPI_SUM on rank 0 and " + std::string(name) + ' ' + last_rank()}};
        expect_refusal("allreduce", MPI_COMM_WORLD, complaint,
                       [&] { return allreduce_init(&one, &sum, 1, op, MPI_INFO_NULL, &request); });
        expect_refusal("neighbors", stage.cart, complaint, [&] {
            return Carpool_Neighbor_reduce_init(&one, &sum, 1, MPI_INT, op, stage.cart,
                                                MPI_INFO_NULL, &request);
        });
    }
}

BOOST_AUTO_TEST_CASE(operators_of_the_users_are_alike_whatever_their_handles) {
    MPI_Op unused = MPI_OP_NULL;
    if (world_rank() == 0) MPI_Op_create(add_spread, 1, &unused);
    const auto op = op_of(add_spread, true);
    const auto type = [] {
        MPI_Datatype spread;
        MPI_Type_contiguous(spread_length, MPI_INT, &spread);
        return committed(spread);
    }();
    std::array<int, spread_length> one{1, 1, 1}, sum{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST(Carpool_Allreduce_init(one.data(), sum.data(), 1, type, op, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, &request) == MPI_SUCCESS);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    BOOST_TEST(sum[0] == world_size());
    if (unused != MPI_OP_NULL) MPI_Op_free(&unused);
}

// ---- buffers ----

const Complaint shares{MPI_ERR_BUFFER, {"sendbuf", "recvbuf", "share memory"}};

BOOST_AUTO_TEST_CASE(what_is_sent_and_received_at_once_is_refused) {
    const Stage stage(torus_of(1), moore(1, 1));
    std::vector<int> s(static_cast<std::size_t>(2 * world_size() + 2));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto comm = MPI_COMM_WORLD;
    const auto none = MPI_INFO_NULL;
    const auto last = s.data() + 1;
    expect_refusal("same buffer", comm, shares,
                   [&] { return allreduce_init(s.data(), s.data(), 2, MPI_SUM, none, &request); });
    expect_refusal("one int of two", comm, shares,
                   [&] { return allreduce_init(s.data(), last, 2, MPI_SUM, none, &request); });
    expect_refusal("allgather", comm, shares, [&] {
        return Carpool_Allgather_init(s.data() + world_rank(), 1, MPI_INT, s.data(), 1, MPI_INT,
                                      comm, none, &request);
    });
    expect_refusal("blocking alltoall", comm, shares, [&] {
        return Carpool_Alltoall(s.data(), 1, MPI_INT, s.data(), 1, MPI_INT, comm);
    });
    expect_refusal("neighbors", stage.cart, shares, [&] {
        return Carpool_Neighbor_alltoall_init(s.data(), 1, MPI_INT, last, 1, MPI_INT, stage.cart,
                                              none, &request);
    });
    expect_refusal("blocking neighbors", stage.cart, shares, [&] {
        return Carpool_Neighbor_alltoall(s.data(), 1, MPI_INT, s.data(), 1, MPI_INT, stage.cart);
    });
}

/// Every other column, and the columns between.
BOOST_AUTO_TEST_CASE(parts_of_one_array_that_lie_between_each_other_are_legal) {
    const Stage stage(torus_of(1), moore(1, 1));
    MPI_Datatype vector;
    MPI_Type_vector(4, 1, 4, MPI_INT, &vector);
    const auto column = committed(vector);
    std::array<int, 16> array{};
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<int>(i % 4);
    const std::array<int, 2> counts{1, 1};
    const std::array<MPI_Aint, 2> from{0, 2 * sizeof(int)}, to{sizeof(int), 3 * sizeof(int)};
    const std::array<MPI_Datatype, 2> types{column, column};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = [&](const std::array<MPI_Aint, 2>& received) {
        return Carpool_Neighbor_alltoallw_init(
            array.data(), counts.data(), from.data(), types.data(), array.data(), counts.data(),
            received.data(), types.data(), stage.cart, MPI_INFO_NULL, &request);
    };
    expect_refusal("a column of both", stage.cart, shares, [&] { return init(from); });
    BOOST_TEST(init(to) == MPI_SUCCESS);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    for (std::size_t i = 0; i < array.size(); ++i)
        BOOST_TEST(array[i] == static_cast<int>(i % 4 / 2 * 2));
}

BOOST_AUTO_TEST_CASE(null_buffers_with_bytes_are_refused) {
    const Stage stage(torus_of(1), moore(1, 1));
    std::array<int, 2> here{};
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = [&](const void* send, void* recv, int count, MPI_Datatype type) {
        return Carpool_Neighbor_alltoall_init(send, count, type, recv, count, type, stage.cart,
                                              MPI_INFO_NULL, &request);
    };
    const Complaint sent{MPI_ERR_BUFFER, {"sendbuf is a null pointer", "expected a buffer"}};
    const Complaint received{MPI_ERR_BUFFER, {"recvbuf is a null pointer"}};
    expect_refusal("send", stage.cart, sent,
                   [&] { return init(nullptr, here.data(), 1, MPI_INT); });
    expect_refusal("receive", stage.cart, received,
                   [&] { return init(here.data(), nullptr, 1, MPI_INT); });
    MPI_Datatype vector;
    MPI_Type_vector(2, 1, 2, MPI_CHAR, &vector);
    const auto low = committed(vector);
    expect_refusal("a type that begins at null", stage.cart, sent,
                   [&] { return init(nullptr, here.data(), 1, low); });
    int one = 1, sum = 0;
    expect_refusal("a sum", MPI_COMM_WORLD, received, [&] {
        return allreduce_init(&one, nullptr, 1, MPI_SUM, MPI_INFO_NULL, &request);
    });
    expect_refusal("a neighborhood's sum", stage.cart, received, [&] {
        return Carpool_Neighbor_reduce_init(&one, nullptr, 1, MPI_INT, MPI_SUM, stage.cart,
                                            MPI_INFO_NULL, &request);
    });
    expect_refusal("a sparse exchange", MPI_COMM_WORLD, sent, [&] {
        const int target = world_rank(), count = 1, at = 0;
        Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
        return Carpool_Sparse_exchange(1, &target, nullptr, &count, &at, MPI_INT, MPI_COMM_WORLD,
                                       &delivery);
    });
    BOOST_TEST(sum == 0);
    BOOST_TEST(init(nullptr, nullptr, 0, MPI_INT) == MPI_SUCCESS);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
}

Type at_address(const void* address, int count) {
    MPI_Aint displacement;
    MPI_Get_address(address, &displacement);
    MPI_Datatype type;
    MPI_Type_create_hindexed(1, &count, &displacement, MPI_INT, &type);
    return committed(type);
}

BOOST_AUTO_TEST_CASE(bottom_with_absolute_addresses_is_legal) {
    const Stage stage(torus_of(1), moore(1, 1));
    std::array<int, 2> out{7, 8}, in{};
    const auto sent = at_address(out.data(), 2), received = at_address(in.data(), 2);
    std::array<MPI_Aint, 2> from{}, to{};
    const std::array<int, 2> counts{1, 1};
    const std::array<MPI_Datatype, 2> ints{MPI_INT, MPI_INT};
    for (std::size_t i = 0; i < 2; ++i) {
        MPI_Get_address(&out[i], &from[i]);
        MPI_Get_address(&in[i], &to[i]);
    }
    BOOST_TEST(Carpool_Neighbor_alltoallw(MPI_BOTTOM, counts.data(), from.data(), ints.data(),
                                          MPI_BOTTOM, counts.data(), to.data(), ints.data(),
                                          stage.cart) == MPI_SUCCESS);
    BOOST_TEST((in == std::array<int, 2>{7, 8}));
    in = {};
    MPI_Comm self = MPI_COMM_SELF;
    BOOST_TEST(Carpool_Alltoall(MPI_BOTTOM, 1, sent, MPI_BOTTOM, 1, received, self) == MPI_SUCCESS);
    BOOST_TEST((in == std::array<int, 2>{7, 8}));
}

// ---- handles ----

BOOST_AUTO_TEST_CASE(null_pointers_to_results_are_refused) {
    const Stage stage(torus_of(1), moore(1, 1));
    std::array<int, 2> sent{}, received{};
    Carpool_Request null = CARPOOL_REQUEST_NULL;
    int flag = 0;
    const Complaint request{MPI_ERR_REQUEST, {"request is a null pointer"}};
    const auto refused = [](const char* what, const Complaint& complaint,
                            const std::function<int()>& call, MPI_Comm comm = MPI_COMM_SELF) {
        expect_refusal(what, comm, complaint, call);
    };
    refused(
        "init", request,
        [&] {
            return Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1,
                                                  MPI_INT, stage.cart, MPI_INFO_NULL, nullptr);
        },
        stage.cart);
    refused(
        "nonblocking", request,
        [&] {
            return Carpool_Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              stage.cart, nullptr);
        },
        stage.cart);
    refused("Start", request, [] { return Carpool_Start(nullptr); });
    refused("Wait", request, [] { return Carpool_Wait(nullptr, MPI_STATUS_IGNORE); });
    refused("Test", request, [&] { return Carpool_Test(nullptr, &flag, MPI_STATUS_IGNORE); });
    refused("free", request, [] { return Carpool_Request_free(nullptr); });
    refused("flag", {MPI_ERR_ARG, {"Carpool_Test: flag is a null pointer"}},
            [&] { return Carpool_Test(&null, nullptr, MPI_STATUS_IGNORE); });
    refused("index", {MPI_ERR_ARG, {"Carpool_Waitany: index is a null pointer"}},
            [&] { return Carpool_Waitany(1, &null, nullptr, MPI_STATUS_IGNORE); });
    refused(
        "delivery", {MPI_ERR_ARG, {"delivery is a null pointer"}},
        [&] {
            return Carpool_Sparse_exchange(0, nullptr, nullptr, nullptr, nullptr, MPI_INT,
                                           MPI_COMM_WORLD, nullptr);
        },
        MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(freed_communicators_are_refused) {
    return_errors();
    for (const bool used : {false, true}) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const MPI_Comm gone = comm;
        int one = 1, sum = 0;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto call = [&](MPI_Comm on) {
            return Carpool_Alltoall_init(&one, 0, MPI_INT, &sum, 0, MPI_INT, on, MPI_INFO_NULL,
                                         &request);
        };
        if (used) {
            BOOST_TEST(call(comm) == MPI_SUCCESS);
            Carpool_Request_free(&request);
        }
        MPI_Comm_free(&comm);
        const auto fault = unlike({MPI_ERR_COMM, {"Carpool_Alltoall_init", "comm"}}, call(gone));
        BOOST_TEST(fault == "");
        BOOST_TEST(unlike({MPI_ERR_COMM, {"MPI_COMM_NULL"}}, call(comm)) == "");
    }
}

// ---- settings ----

BOOST_AUTO_TEST_CASE(a_rule_in_the_environment_is_a_preference) {
    const Environment environment("CARPOOL_ALGORITHM", "cartesian");
    const auto graph = star();
    const Stage stage(torus_of(1), moore(1, 1));
    const int degree = world_size() == 1 ? 0 : world_rank() == 0 ? world_size() - 1 : 1;
    const auto room = static_cast<std::size_t>(degree + 2);
    std::vector<int> sent(room, world_rank()), received(room);
    BOOST_TEST(Carpool_Neighbor_allgather(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                          graph) == MPI_SUCCESS);
    if (world_rank() > 0) BOOST_TEST(received[0] == 0);
    int sum = 0;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_TEST(allreduce_init(sent.data(), &sum, 1, MPI_SUM, MPI_INFO_NULL, &request) ==
               MPI_SUCCESS);
    Carpool_Request_free(&request);
    BOOST_TEST(Carpool_Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT,
                                              stage.cart, MPI_INFO_NULL, &request) == MPI_SUCCESS);
    BOOST_TEST(algorithm_of(request) == "cartesian");
    Carpool_Request_free(&request);
    if (world_size() <= 2) return;  // a star that is a grid, too
    expect_refusal("as an order", graph,
                   {MPI_ERR_INFO_VALUE, {"carpool_algorithm in the info is 'torus'"}}, [&] {
                       return Carpool_Neighbor_alltoall_init(
                           sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, graph,
                           info_of({{"carpool_algorithm", "torus"}}), &request);
                   });
}

BOOST_AUTO_TEST_CASE(an_info_wins_over_a_preference) {
    const Environment environment("CARPOOL_ALGORITHM", "torus");
    const Stage stage(torus_of(1), moore(1, 1));
    auto job = stage.job(Operation::alltoall);
    BOOST_TEST(std::string(plan_of(job, stage.cart, "direct").algorithm) == "direct");
    BOOST_TEST(std::string(plan_of(job, stage.cart, "auto").algorithm) != "torus");
}

BOOST_AUTO_TEST_CASE(a_preference_that_is_no_rule_is_refused) {
    const Environment environment("CARPOOL_ALGORITHM", "teleport");
    MPI_Comm comm = MPI_COMM_NULL;
    const int dims = world_size(), wraps = 1, offset = 1;
    expect_refusal("create", MPI_COMM_WORLD,
                   {MPI_ERR_INFO_VALUE,
                    {"carpool_algorithm in the environment (CARPOOL_ALGORITHM) is 'teleport'"}},
                   [&] {
                       return Carpool_Cart_neighborhood_create(MPI_COMM_WORLD, 1, &dims, &wraps, 1,
                                                               &offset, MPI_UNWEIGHTED,
                                                               MPI_INFO_NULL, 0, &comm);
                   });
}

BOOST_AUTO_TEST_CASE(misspelt_keys_are_told_once) {
    const auto info = info_of({{"carpool_algoritm", "ring"}, {"others_key", "1"}});
    int one = 1, sum = 0;
    StandardError error;
    for (int i = 0; i < 2; ++i) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        BOOST_TEST(allreduce_init(&one, &sum, 1, MPI_SUM, info, &request) == MPI_SUCCESS);
        Carpool_Request_free(&request);
    }
    const std::string warning =
        "Carpool: carpool_algoritm in the info is unknown, did you mean carpool_algorithm?\n";
    BOOST_TEST(error.text() == (world_rank() == 0 ? warning : ""));
}

BOOST_AUTO_TEST_SUITE_END()
