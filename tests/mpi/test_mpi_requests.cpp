// SPDX-License-Identifier: MIT
// ranks: 1 2 3 4
// sanitize-ranks: 3
//
// Exchanges as MPI_Requests: together with MPI's own, in any order, freed early, cancelled, with
// mistakes.

#include <boost/test/unit_test.hpp>

#include "forwarded_exchange.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "seed.hpp"

#include <algorithm>
#include <list>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_mpi_requests)

namespace {

using namespace carpool::tests;

constexpr int rounds = 30;

/// Requests of Carpool and of MPI, which complete when all ranks have begun the same number of
/// them.
class Mix {
public:
    explicit Mix(MPI_Comm comm)
        : forwarded_(comm), exchange_(grid_.exchange(Operation::alltoallw)) {}

    std::vector<MPI_Request> begin(int round) {
        const int right = (world_rank() + 1) % world_size();
        const int left = (world_rank() + world_size() - 1) % world_size();
        std::vector<MPI_Request> requests(7, MPI_REQUEST_NULL);
        round_ = round;
        said_ = round + world_rank();
        forwarded_.begin(Form::nonblocking, round);
        requests[0] = forwarded_.once;
        MPI_Irecv(&heard_, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&said_, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[2]);
        MPI_Iallreduce(&said_, &sum_, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
        exchange_.prepare(round % 3);
        exchange_.make_call({Form::nonblocking, grid_.cart, MPI_INFO_NULL, nullptr, &requests[4]});
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[5]);
        Carpool_Ialltoall(&said_, 0, MPI_INT, &sum_, 0, MPI_INT, MPI_COMM_WORLD, &requests[6]);
        return requests;
    }

    std::string fault() const {
        const int n = world_size();
        if (!forwarded_.arrived()) return "the forwarded exchange";
        if (heard_ != round_ + (world_rank() + n - 1) % n) return "the message";
        if (sum_ != n * round_ + n * (n - 1) / 2) return "the sum";
        return exchange_.fault();
    }

private:
    ForwardedExchange forwarded_;
    GridNeighborhood grid_{torus_of(1), moore(1, 1)};
    CheckedExchange exchange_;
    int round_ = 0, said_ = 0, heard_ = -1, sum_ = -1;
};

bool all_null(const std::vector<MPI_Request>& requests) {
    return std::all_of(requests.begin(), requests.end(),
                       [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
}

/// Completes all requests by a function that completes some.
template <typename Some>
void complete(std::vector<MPI_Request>& requests, const Some& some) {
    for (std::size_t left = requests.size(); left > 0;) left -= some(requests);
}

int count_of(const std::vector<MPI_Request>& requests) { return static_cast<int>(requests.size()); }

const auto waitall = [](auto& r) {
    MPI_Waitall(count_of(r), r.data(), MPI_STATUSES_IGNORE);
    return r.size();
};
const auto testall = [](auto& r) {
    int flag = 0;
    MPI_Testall(count_of(r), r.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0 ? r.size() : 0;
};
const auto waitany = [](auto& r) {
    int index = -1;
    MPI_Waitany(count_of(r), r.data(), &index, MPI_STATUS_IGNORE);
    return std::size_t{1};
};
const auto testany = [](auto& r) {
    int index = -1, flag = 0;
    MPI_Testany(count_of(r), r.data(), &index, &flag, MPI_STATUS_IGNORE);
    return std::size_t{flag != 0};
};
const auto waitsome = [](auto& r) {
    std::vector<int> indices(r.size());
    int found = 0;
    MPI_Waitsome(count_of(r), r.data(), &found, indices.data(), MPI_STATUSES_IGNORE);
    return static_cast<std::size_t>(found);
};
const auto testsome = [](auto& r) {
    std::vector<int> indices(r.size());
    int found = 0;
    MPI_Testsome(count_of(r), r.data(), &found, indices.data(), MPI_STATUSES_IGNORE);
    return static_cast<std::size_t>(found);
};

void complete_by(int call, std::vector<MPI_Request>& requests) {
    switch (call % 6) {
        case 0:
            return complete(requests, waitall);
        case 1:
            return complete(requests, testall);
        case 2:
            return complete(requests, waitany);
        case 3:
            return complete(requests, testany);
        case 4:
            return complete(requests, waitsome);
        default:
            return complete(requests, testsome);
    }
}

/// A call in which MPI progresses.
void look_in() {
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

/// A call with a negative count on rank 0.
MPI_Request mistaken(MPI_Comm comm) {
    static int sent[4], received[4];
    MPI_Request request = MPI_REQUEST_NULL;
    Carpool_Ineighbor_alltoall(sent, world_rank() == 0 ? -1 : 1, MPI_INT, received, 1, MPI_INT,
                               comm, &request);
    return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_completion_function_of_mpi_completes_them_among_other_requests) {
    Mix mix(MPI_COMM_WORLD);
    std::mt19937 own(static_cast<unsigned>(world_rank()));
    for (int round = 0; round < 6 * rounds; ++round) {
        auto requests = mix.begin(round);
        std::shuffle(requests.begin(), requests.end(), own);
        complete_by(round + world_rank(), requests);
        BOOST_TEST(all_null(requests), "round " << round);
        BOOST_TEST(mix.fault() == "", "round " << round);
    }
}

BOOST_AUTO_TEST_CASE(mpi_requests_complete_one_by_one_in_another_order_on_each_rank) {
    Mix mix(MPI_COMM_WORLD);
    std::mt19937 own(static_cast<unsigned>(world_rank()) + 77);
    for (int round = 0; round < rounds; ++round) {
        auto requests = mix.begin(round);
        std::shuffle(requests.begin(), requests.end(), own);
        for (auto& request : requests) BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == 0);
        BOOST_TEST(mix.fault() == "", "round " << round);
    }
}

BOOST_AUTO_TEST_CASE(the_status_is_empty) {
    ForwardedExchange exchange;
    exchange.begin(Form::nonblocking, 0);
    MPI_Status status;
    status.MPI_ERROR = -77;
    int count = -1, cancelled = -1;
    MPI_Wait(&exchange.once, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    MPI_Test_cancelled(&status, &cancelled);
    BOOST_TEST(count == 0);
    BOOST_TEST(cancelled == 0);
    BOOST_TEST(status.MPI_SOURCE == MPI_ANY_SOURCE);
    BOOST_TEST(status.MPI_TAG == MPI_ANY_TAG);
    BOOST_TEST(status.MPI_ERROR == -77);
}

BOOST_AUTO_TEST_CASE(request_get_status_tells_completion_and_keeps_the_request) {
    ForwardedExchange exchange;
    exchange.begin(Form::nonblocking, 3);
    int flag = 0;
    while (flag == 0) MPI_Request_get_status(exchange.once, &flag, MPI_STATUS_IGNORE);
    BOOST_TEST(exchange.arrived());
    BOOST_TEST((exchange.once != MPI_REQUEST_NULL));
    BOOST_TEST(exchange.end(Form::nonblocking) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(a_request_freed_while_active_completes) {
    if (!mpi_calls_back() || world_size() == 1) return;
    ForwardedExchange exchange;
    for (int round = 0; round < rounds; ++round) {
        exchange.begin(Form::nonblocking, round);
        MPI_Request_free(&exchange.once);
        while (!exchange.arrived()) look_in();
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

BOOST_AUTO_TEST_CASE(a_request_freed_just_before_finalize_completes_in_it) {
    static int sent[64], received[64];
    MPI_Request request;
    Carpool_Ialltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    BOOST_TEST((request == MPI_REQUEST_NULL));
}

BOOST_AUTO_TEST_CASE(a_cancel_is_refused_and_the_exchange_goes_on) {
    ForwardedExchange exchange;
    exchange.begin(Form::nonblocking, 11);
    expect_refusal("cancel", exchange.comm(), {MPI_ERR_REQUEST, {"cancelled"}},
                   [&] { return MPI_Cancel(&exchange.once); });
    BOOST_TEST(exchange.end(Form::nonblocking) == MPI_SUCCESS);
    BOOST_TEST(exchange.arrived());
}

BOOST_AUTO_TEST_CASE(an_error_is_returned_once_by_the_call_that_completes) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), info_of({{"carpool_check", "all"}}));
    const CountingHandler handler(grid.cart);
    const CountingHandler of_world(MPI_COMM_WORLD);
    for (int call = 0; call < 12; ++call) {
        const int before = CountingHandler::calls;
        MPI_Request request = mistaken(grid.cart);
        const bool at_once = request == MPI_REQUEST_NULL;
        std::vector<MPI_Request> requests{request};
        complete_by(call, requests);
        BOOST_TEST(CountingHandler::calls == before + 1, "call " << call);
        BOOST_TEST(class_of(CountingHandler::last) == MPI_ERR_COUNT, "call " << call);
        BOOST_TEST((at_once || all_null(requests)));
    }
}

BOOST_AUTO_TEST_CASE(wait_returns_an_error_if_the_error_handler_returns) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), info_of({{"carpool_check", "all"}}));
    for (MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF})
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; ++round) {
        MPI_Request request = mistaken(grid.cart);
        BOOST_TEST(mismatch({MPI_ERR_COUNT, {"sendcount", "-1", "rank 0"}},
                            MPI_Wait(&request, MPI_STATUS_IGNORE)) == "");
        BOOST_TEST((request == MPI_REQUEST_NULL));
        if (!mpi_calls_back() || world_size() == 1) continue;  // nothing progresses there
        MPI_Errhandler handler;                                // must not have changed
        MPI_Barrier(MPI_COMM_WORLD);
        look_in();
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
        BOOST_TEST((handler == MPI_ERRORS_ARE_FATAL));
        MPI_Errhandler_free(&handler);
        MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
        BOOST_TEST((handler == MPI_ERRORS_ARE_FATAL));
        MPI_Errhandler_free(&handler);
    }
}

BOOST_AUTO_TEST_CASE(waitall_says_which_one_has_failed) {
    const GridNeighborhood grid(torus_of(1), moore(1, 1), info_of({{"carpool_check", "all"}}));
    MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
    ForwardedExchange exchange;
    for (int round = 0; round < rounds; ++round) {
        MPI_Request requests[3] = {MPI_REQUEST_NULL, mistaken(grid.cart), MPI_REQUEST_NULL};
        exchange.begin(Form::nonblocking, round);
        requests[0] = exchange.once;
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
        MPI_Status statuses[3];
        BOOST_TEST(class_of(MPI_Waitall(3, requests, statuses)) == MPI_ERR_IN_STATUS);
        BOOST_TEST(statuses[0].MPI_ERROR == MPI_SUCCESS);
        BOOST_TEST(statuses[1].MPI_ERROR != MPI_SUCCESS);
        const bool pending = statuses[2].MPI_ERROR == MPI_ERR_PENDING;
        BOOST_TEST((pending || statuses[2].MPI_ERROR == MPI_SUCCESS));
        BOOST_TEST(MPI_Wait(&requests[2], MPI_STATUS_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(exchange.arrived());
    }
}

BOOST_AUTO_TEST_CASE(a_started_request_can_be_waited_for_among_mpi_requests) {
    ForwardedExchange exchange;
    for (int round = 0; round < rounds; ++round) {
        MPI_Request requests[2];
        exchange.begin(Form::persistent, round);
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
        BOOST_TEST(Carpool_Request_get_mpi(exchange.persistent(), &requests[1]) == MPI_SUCCESS);
        if (world_rank() == 0) std::swap(requests[0], requests[1]);
        BOOST_TEST(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
        BOOST_TEST(exchange.arrived());
    }
    exchange.begin(Form::persistent, 5);  // works as before
    exchange.end(Form::persistent);
    BOOST_TEST(exchange.arrived());
}

BOOST_AUTO_TEST_CASE(the_mpi_request_of_a_started_request_may_be_freed) {
    if (!mpi_calls_back() || world_size() == 1) return;
    ForwardedExchange exchange;
    for (int round = 0; round < rounds; ++round) {
        MPI_Request request;
        exchange.begin(Form::persistent, round);
        Carpool_Request_get_mpi(exchange.persistent(), &request);
        MPI_Request_free(&request);
        for (int code = MPI_ERR_OTHER, flag; code != MPI_SUCCESS;) {
            MPI_Comm_set_errhandler(exchange.comm(), MPI_ERRORS_RETURN);
            code = Carpool_Test(&exchange.persistent(), &flag, MPI_STATUS_IGNORE);
            look_in();
        }
        BOOST_TEST(exchange.arrived());
    }
}

BOOST_AUTO_TEST_CASE(a_persistent_request_is_refused_while_its_mpi_request_is_active) {
    ForwardedExchange exchange;
    MPI_Request request, another = MPI_REQUEST_NULL;
    int flag;
    const auto refused = [&](const char* what, const char* word, const std::function<int()>& call) {
        expect_refusal(what, exchange.comm(), {MPI_ERR_REQUEST, {"request", word}}, call);
    };
    refused("get_mpi", "inactive",
            [&] { return Carpool_Request_get_mpi(exchange.persistent(), &request); });
    exchange.begin(Form::persistent, 0);
    Carpool_Request_get_mpi(exchange.persistent(), &request);
    for (int round = 0; round < 2; ++round) {
        refused("get_mpi", "given to MPI",
                [&] { return Carpool_Request_get_mpi(exchange.persistent(), &another); });
        refused("Wait", "given to MPI",
                [&] { return Carpool_Wait(&exchange.persistent(), MPI_STATUS_IGNORE); });
        refused("Test", "given to MPI",
                [&] { return Carpool_Test(&exchange.persistent(), &flag, MPI_STATUS_IGNORE); });
        refused("Start", "active", [&] { return Carpool_Start(&exchange.persistent()); });
        refused("free", "active", [&] { return Carpool_Request_free(&exchange.persistent()); });
        MPI_Barrier(MPI_COMM_WORLD);
    }
    BOOST_TEST(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    BOOST_TEST(exchange.arrived());
    expect_refusal("get_mpi", MPI_COMM_SELF, {MPI_ERR_REQUEST, {"CARPOOL_REQUEST_NULL"}},
                   [&] { return Carpool_Request_get_mpi(CARPOOL_REQUEST_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(an_error_of_a_background_init_is_returned_by_mpi_wait) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const Comm owned(comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    MPI_Request mpi_request = MPI_REQUEST_NULL;
    int word = 0;
    const int root = world_rank() == 0 ? -1 : 0;
    Carpool_Ibcast_init(&word, 1, MPI_INT, root, comm, MPI_INFO_NULL, &request);
    int code = Carpool_Start(&request);
    if (code == MPI_SUCCESS) {
        BOOST_TEST(Carpool_Request_get_mpi(request, &mpi_request) == MPI_SUCCESS);
        code = MPI_Wait(&mpi_request, MPI_STATUS_IGNORE);
    }
    BOOST_TEST(class_of(code) == MPI_ERR_ROOT);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
