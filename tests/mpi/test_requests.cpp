// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// nightly-ranks: 8
// sanitize-ranks: 2 4
//
// Several requests on one communicator: started and completed in any order.

#include <boost/test/unit_test.hpp>

#include "seed.hpp"
#include "stage.hpp"
#include "world.hpp"

#include <algorithm>
#include <list>
#include <numeric>

namespace {

using namespace carpool::tests;

/// One request per operation and rule on one stage.
class Crowd {
public:
    explicit Crowd(const Stage& stage) {
        for (const char* rule : {"direct", "torus", "cartesian", "basis"})
            for (Operation operation : operations) {
                jobs_.push_back(stage.job(operation));
                const auto info = info_of({{"carpool_algorithm", rule}});
                requests.push_back(init(jobs_.back(), stage.cart, info));
            }
    }
    ~Crowd() {
        for (Carpool_Request& request : requests) Carpool_Request_free(&request);
    }

    void prepare(int start) {
        int salt = 0;
        for (Job& job : jobs_) job.prepare(start * 100 + salt++);
    }
    std::string fault() const {
        for (const Job& job : jobs_)
            if (const auto fault = job.fault(); !fault.empty()) return fault;
        return "";
    }
    std::vector<std::size_t> order() const {
        std::vector<std::size_t> order(requests.size());
        std::iota(order.begin(), order.end(), 0u);
        return order;
    }

    std::vector<Carpool_Request> requests;

private:
    std::list<Job> jobs_;
};

Stage small_stage() { return Stage(torus_of(2), stencil(2, 4)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(test_requests)

BOOST_AUTO_TEST_CASE(each_rank_may_start_and_wait_in_an_order_of_its_own) {
    const Stage stage = small_stage();
    Crowd crowd(stage);
    auto shared = seeded();
    std::mt19937 own(shared() + static_cast<unsigned>(world_rank()));
    auto order = crowd.order();
    for (int start = 0; start < 10; ++start) {
        crowd.prepare(start);
        std::shuffle(order.begin(), order.end(), own);
        for (std::size_t i : order) Carpool_Start(&crowd.requests[i]);
        std::shuffle(order.begin(), order.end(), own);
        for (std::size_t i : order) Carpool_Wait(&crowd.requests[i], MPI_STATUS_IGNORE);
        BOOST_TEST(crowd.fault() == "", "start " << start);
    }
}

BOOST_AUTO_TEST_CASE(a_wait_completes_although_others_wait_for_another_request_first) {
    const Stage stage = small_stage();
    auto a = stage.job(Operation::alltoall), b = stage.job(Operation::alltoallw);
    const auto info = info_of({{"carpool_algorithm", "torus"}});
    Carpool_Request requests[2] = {init(a, stage.cart, info), init(b, stage.cart, info)};
    for (int start = 0; start < 20; ++start) {
        a.prepare(start);
        b.prepare(start + 50);
        Carpool_Startall(2, requests);
        const int first = world_rank() % 2;  // rank 0 waits for A, then B; rank 1 for B, then A
        Carpool_Wait(&requests[first], MPI_STATUS_IGNORE);
        Carpool_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
        BOOST_TEST(a.fault() == "");
        BOOST_TEST(b.fault() == "");
    }
    for (Carpool_Request& request : requests) Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(only_some_of_the_requests_may_be_started) {
    const Stage stage = small_stage();
    Crowd crowd(stage);
    for (int start = 0; start < 6; ++start) {
        crowd.prepare(start);
        std::vector<Carpool_Request> some;
        for (std::size_t i = static_cast<std::size_t>(start % 3); i < crowd.requests.size(); i += 3)
            some.push_back(crowd.requests[i]);
        Carpool_Startall(static_cast<int>(some.size()), some.data());
        Carpool_Waitall(static_cast<int>(some.size()), some.data(), MPI_STATUSES_IGNORE);
        const bool all_started = crowd.fault().empty();
        BOOST_TEST(all_started == false);  // the others' buffers are still poison
    }
    crowd.prepare(99);
    Carpool_Startall(static_cast<int>(crowd.requests.size()), crowd.requests.data());
    Carpool_Waitall(static_cast<int>(crowd.requests.size()), crowd.requests.data(),
                    MPI_STATUSES_IGNORE);
    BOOST_TEST(crowd.fault() == "");
}

BOOST_AUTO_TEST_CASE(a_request_restarts_thousands_of_times) {
    const Stage stage(torus_of(2), moore(2, 1));
    auto job = stage.job(Operation::alltoall);
    Carpool_Request request = init(job, stage.cart, info_of({{"carpool_algorithm", "cartesian"}}));
    std::string fault;
    for (int start = 0; start < 3000 && fault.empty(); ++start) {
        job.prepare(start % 7);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        fault = job.fault();
    }
    BOOST_TEST(fault == "");
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(a_fast_rank_may_run_ahead_of_a_slow_one) {
    const Stage stage(torus_of(1), {"right", 1, {1}});
    auto job = stage.job(Operation::alltoall);
    Carpool_Request request = init(job, stage.cart);
    for (int start = 0; start < 20; ++start) job.prepare(start);  // runs the oracle
    for (int start = 0; start < 20; ++start) {
        if (world_rank() == start % world_size()) usleep(2000);
        job.prepare(start);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(job.fault() == "");
    }
    Carpool_Request_free(&request);
}

BOOST_AUTO_TEST_CASE(ten_identical_nonblocking_calls_may_be_outstanding) {
    const Stage stage = small_stage();
    for (Operation operation : operations) {
        std::list<Job> jobs;
        std::vector<MPI_Request> requests(10, MPI_REQUEST_NULL);
        for (int i = 0; i < 10; ++i) {
            jobs.push_back(stage.job(operation));
            jobs.back().prepare(i);
        }
        std::size_t i = 0;
        for (const Job& job : jobs)
            job.post({Form::nonblocking, stage.cart, MPI_INFO_NULL, nullptr, &requests[i++]});
        std::rotate(requests.begin(), requests.begin() + world_rank() % 10, requests.end());
        MPI_Waitall(10, requests.data(), MPI_STATUSES_IGNORE);
        for (const Job& job : jobs) BOOST_TEST(job.fault() == "", name_of(operation));
        BOOST_TEST(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL) == 10);
    }
}

BOOST_AUTO_TEST_CASE(free_counts_do_not_meet_a_collective_of_the_users_before_the_wait) {
    const int n = world_size(), me = world_rank();
    const auto line = neighborhood({{n}, {0}}, {"two right and left", 1, {2, -2}});
    const int free = me == 1 ? 5 : 1;  // at positions without a neighbor
    const int up = me + 2 < n, down = me >= 2;
    const int sendcounts[] = {up ? 1 : free, down ? 1 : free};
    const int recvcounts[] = {down ? 1 : free, up ? 1 : free};
    const int places[] = {0, 5};
    for (int start = 0; start < 10; ++start) {
        std::vector<int> send(10, me + start), recv(10, -1);
        MPI_Request request = MPI_REQUEST_NULL;
        Carpool_Ineighbor_alltoallv(send.data(), sendcounts, places, MPI_INT, recv.data(),
                                    recvcounts, places, MPI_INT, line, &request);
        int ended = 0;
        for (int i = 0; i < 100 && ended == 0 && me == 0; ++i)
            MPI_Test(&request, &ended, MPI_STATUS_IGNORE);
        int root = me;
        MPI_Bcast(&root, 1, MPI_INT, 0, line);
        BOOST_TEST(root == 0);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        BOOST_TEST(recv[0] == (down ? me - 2 + start : -1));
        BOOST_TEST(recv[5] == (up ? me + 2 + start : -1));
    }
}

BOOST_AUTO_TEST_CASE(nonblocking_persistent_and_blocking_calls_mix) {
    const Stage stage = small_stage();
    auto kept = stage.job(Operation::alltoallw), once = stage.job(Operation::allgather),
         now = stage.job(Operation::alltoallv);
    Carpool_Request persistent = init(kept, stage.cart);
    for (int start = 0; start < 5; ++start) {
        for (Job* job : {&kept, &once, &now}) job->prepare(start);
        MPI_Request single = MPI_REQUEST_NULL;
        Carpool_Start(&persistent);
        once.post({Form::nonblocking, stage.cart, MPI_INFO_NULL, nullptr, &single});
        now.post({Form::blocking, stage.cart});
        MPI_Wait(&single, MPI_STATUS_IGNORE);
        Carpool_Wait(&persistent, MPI_STATUS_IGNORE);
        for (Job* job : {&kept, &once, &now}) BOOST_TEST(job->fault() == "");
    }
    Carpool_Request_free(&persistent);
}

BOOST_AUTO_TEST_CASE(a_request_is_freed_unstarted_and_its_communicator_lives_on) {
    const Stage stage = small_stage();
    auto job = stage.job(Operation::alltoall);
    Carpool_Request request = init(job, stage.cart);
    BOOST_TEST(Carpool_Request_free(&request) == MPI_SUCCESS);
    BOOST_TEST(request == CARPOOL_REQUEST_NULL);
    BOOST_TEST(run_once(job, Form::persistent, stage.cart) == "");
}

BOOST_AUTO_TEST_SUITE_END()
