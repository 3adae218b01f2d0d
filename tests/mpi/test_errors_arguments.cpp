// SPDX-License-Identifier: MIT
// ranks: 1 2 4
// nightly-ranks: 6
// sanitize-ranks: 2
//
// Bad arguments of operations are refused: with the same error on all ranks, before anything is
// written.

#include <boost/test/unit_test.hpp>

#include "current_step.hpp"
#include "exchange_faults.hpp"
#include "grid_neighborhood.hpp"
#include "refusal.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_errors_arguments)

namespace {

using namespace carpool::tests;

/// Runs every fault in each operation and form in which it can occur.
class Trial {
public:
    explicit Trial(bool here) : here_(here) {}

    void run(const ExchangeFault& fault) {
        for (Operation operation : fault.in)
            for (Form form : forms) run(fault, operation, form);
    }

private:
    /// The error code of the first start of a request that was planned in the background, and then
    /// of its wait.
    static int code_of_start(Carpool_Request& request) {
        int code = Carpool_Start(&request);
        if (code == MPI_SUCCESS) code = Carpool_Wait(&request, MPI_STATUS_IGNORE);
        Carpool_Request_free(&request);
        return code;
    }

    void run(const ExchangeFault& fault, Operation operation, Form form) {
        auto exchange = grid_.exchange(operation);
        if (here_) fault.spoil(exchange.arguments());
        const auto what =
            std::string(name_of(operation)) + ", " + name_of(form) + ", " + fault.name;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        note_step(what);
        expect_refusal(what, grid_.cart, fault.expected_error, [&] {
            const int code = exchange.make_call({form, grid_.cart, MPI_INFO_NULL, &request, &once});
            if (code != MPI_SUCCESS) return code;
            if (is_nonblocking(form)) return MPI_Wait(&once, MPI_STATUS_IGNORE);
            return is_background(form) ? code_of_start(request) : code;
        });
        BOOST_TEST(exchange.untouched(), what << ": something was written");
        BOOST_TEST((request == CARPOOL_REQUEST_NULL && once == MPI_REQUEST_NULL),
                   what << ": there is a request");
    }

    bool here_;
    GridNeighborhood grid_{torus_of(2), moore(2, 1), info_of({{"carpool_check", "all"}})};
};

bool i_am_last() { return world_rank() == world_size() - 1; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_checker_notices_a_call_that_is_not_refused) {
    BOOST_TEST(mismatch({MPI_ERR_COUNT, {}}, MPI_SUCCESS) == "was accepted");
    BOOST_TEST(mismatch({MPI_ERR_COUNT, {}}, MPI_ERR_TYPE).starts_with("has the class of"));
    BOOST_TEST(mismatch({MPI_ERR_TYPE, {"xyzzy"}}, MPI_ERR_TYPE).starts_with("does not say"));
    BOOST_TEST(mismatch({MPI_ERR_TYPE, {}}, MPI_ERR_TYPE) == "");
}

BOOST_AUTO_TEST_CASE(a_mistake_of_all_ranks_is_refused_on_all_ranks) {
    const auto uncommitted = uncommitted_type();
    for (const auto& fault : exchange_faults(uncommitted, 7)) Trial(true).run(fault);
}

BOOST_AUTO_TEST_CASE(a_mistake_of_one_rank_is_refused_on_all_ranks) {
    const auto uncommitted = uncommitted_type();
    for (const auto& fault : exchange_faults(uncommitted, 7)) Trial(i_am_last()).run(fault);
}

BOOST_AUTO_TEST_CASE(sizes_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    auto more_at = [](std::size_t position) {
        return [=](ExchangeArguments& e) {
            const auto in_send = e.send.counts.size() > 1 ? position : 0;
            const auto in_recv = e.recv.counts.size() > 1 ? position : 0;
            e.send.counts[in_send] += e.send.counts[in_send];
            e.recv.counts[in_recv] += e.recv.counts[in_recv];
        };
    };
    const ExpectedError expected_error{MPI_ERR_ARG,
                                       {"size in bytes", "expected the same on all ranks"}};
    const std::vector<Operation> lists{Operation::alltoallv, Operation::alltoallw};
    Trial trial(i_am_last());
    trial.run(
        {"other count", {Operation::alltoall, Operation::allgather}, more_at(0), expected_error});
    trial.run({"other first count", lists, more_at(0), expected_error});
    trial.run({"other last count", lists, more_at(7), expected_error});
}

BOOST_AUTO_TEST_CASE(an_unknown_rule_is_refused_by_name) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    const std::pair<const char*, const char*> settings[] = {{"carpool_algorithm", "teleport"},
                                                            {"carpool_transfer", "pigeon"},
                                                            {"carpool_alpha", "dear"},
                                                            {"carpool_beta", "-1"},
                                                            {"carpool_check", "perhaps"}};
    auto exchange = grid.exchange(Operation::alltoall);
    for (const auto& [key, value] : settings)
        for (bool here : {true, i_am_last()}) {
            const auto info = here ? info_of({{key, value}}) : info_of({});
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            expect_refusal(key, grid.cart, {MPI_ERR_INFO_VALUE, {key, value}}, [&] {
                return exchange.make_call({Form::persistent, grid.cart, info, &request});
            });
        }
}

BOOST_AUTO_TEST_CASE(rules_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    const GridNeighborhood grid(torus_of(2), moore(2, 1));
    auto exchange = grid.exchange(Operation::alltoall);
    const auto info = info_of({{"carpool_algorithm", i_am_last() ? "torus" : "direct"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("rules", grid.cart, {MPI_ERR_ARG, {"algorithm"}}, [&] {
        return exchange.make_call({Form::persistent, grid.cart, info, &request});
    });
}

BOOST_AUTO_TEST_CASE(a_communicator_works_after_an_error_on_all_ranks) {
    const GridNeighborhood grid(torus_of(2), moore(2, 1), info_of({{"carpool_check", "all"}}));
    for (Operation operation : operations) {
        auto bad = grid.exchange(operation);
        if (i_am_last()) bad.arguments().send.counts[0] = -1;
        MPI_Comm_set_errhandler(grid.cart, MPI_ERRORS_RETURN);
        BOOST_TEST(bad.make_call({Form::blocking, grid.cart}) != MPI_SUCCESS);
        auto good = grid.exchange(operation);
        for (Form form : forms)
            BOOST_TEST(run_once(good, form, grid.cart) == "", name_of(operation)
                                                                  << ", " << name_of(form));
    }
}

BOOST_AUTO_TEST_SUITE_END()
