// ranks: 1 2 4
// nightly-ranks: 6
// sanitize-ranks: 2
//
// Bad arguments of operations are refused: with the same error on all ranks, before anything is
// written.

#include <boost/test/unit_test.hpp>

#include "refusal.hpp"
#include "stage.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

namespace {

using namespace carpool::tests;

/// One mistake in the arguments of an operation, and the error that it must give.
struct Fault {
    std::string name;
    std::vector<Operation> in;
    std::function<void(Exchange&)> spoil;
    Complaint complaint;
};

constexpr auto w = Operation::alltoallw;
const std::vector<Operation> all(std::begin(operations), std::end(operations));
const std::vector<Operation> send_lists = {Operation::alltoallv, w};
const std::vector<Operation> recv_lists = {Operation::alltoallv, w, Operation::allgatherv,
                                           Operation::allgatherw};

/// Lists are named sendcounts, single values sendcount, and so on.
std::vector<Fault> faults(MPI_Datatype uncommitted) {
    return {
        {"negative send count",
         all,
         [](Exchange& e) { e.send.counts[0] = -3; },
         {MPI_ERR_COUNT, {"sendcount", "-3"}}},
        {"negative receive count",
         all,
         [](Exchange& e) { e.recv.counts[0] = -5; },
         {MPI_ERR_COUNT, {"recvcount", "-5"}}},
        {"negative last count",
         recv_lists,
         [](Exchange& e) { e.recv.counts.back() = -1; },
         {MPI_ERR_COUNT, {"recvcounts[7]", "-1"}}},
        {"null send type",
         all,
         [](Exchange& e) { e.send.types[0] = MPI_DATATYPE_NULL; },
         {MPI_ERR_TYPE, {"sendtype", "MPI_DATATYPE_NULL"}}},
        {"null receive type",
         all,
         [](Exchange& e) { e.recv.types[0] = MPI_DATATYPE_NULL; },
         {MPI_ERR_TYPE, {"recvtype", "MPI_DATATYPE_NULL"}}},
        {"uncommitted send type",
         all,
         [=](Exchange& e) { e.send.types[0] = uncommitted; },
         {MPI_ERR_TYPE, {"sendtype", "committed"}}},
        {"uncommitted receive type",
         all,
         [=](Exchange& e) { e.recv.types[0] = uncommitted; },
         {MPI_ERR_TYPE, {"recvtype", "committed"}}},
        {"in place",
         all,
         [](Exchange& e) { e.send.buffer = MPI_IN_PLACE; },
         {MPI_ERR_BUFFER, {"sendbuf", "MPI_IN_PLACE"}}},
        {"received in place",
         all,
         [](Exchange& e) { e.recv.buffer = MPI_IN_PLACE; },
         {MPI_ERR_BUFFER, {"recvbuf", "MPI_IN_PLACE"}}},
        {"null send counts",
         send_lists,
         [](Exchange& e) { e.send.counts.clear(); },
         {MPI_ERR_ARG, {"sendcounts", "null"}}},
        {"null send displacements",
         send_lists,
         [](Exchange& e) { e.send.displs.clear(); },
         {MPI_ERR_ARG, {"sdispls", "null"}}},
        {"null send types",
         {w},
         [](Exchange& e) { e.send.types.clear(); },
         {MPI_ERR_ARG, {"sendtypes", "null"}}},
        {"null receive counts",
         recv_lists,
         [](Exchange& e) { e.recv.counts.clear(); },
         {MPI_ERR_ARG, {"recvcounts", "null"}}},
        {"null receive displacements",
         recv_lists,
         [](Exchange& e) { e.recv.displs.clear(); },
         {MPI_ERR_ARG, {"displs", "null"}}},
        {"null receive types",
         {w, Operation::allgatherw},
         [](Exchange& e) { e.recv.types.clear(); },
         {MPI_ERR_ARG, {"recvtypes", "null"}}},
        {"sizes that differ between the sides",
         all,
         [](Exchange& e) { ++e.recv.counts[0]; },
         {MPI_ERR_ARG, {"recv"}}},
    };
}

/// Runs every fault in each operation and form in which it can occur.
class Trial {
public:
    explicit Trial(bool here) : here_(here) {}

    void run(const Fault& fault) {
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

    void run(const Fault& fault, Operation operation, Form form) {
        auto job = stage_.job(operation);
        if (here_) fault.spoil(job.exchange());
        const auto what =
            std::string(name_of(operation)) + ", " + name_of(form) + ", " + fault.name;
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        MPI_Request once = MPI_REQUEST_NULL;
        doing(what);
        expect_refusal(what, stage_.cart, fault.complaint, [&] {
            const int code = job.post({form, stage_.cart, MPI_INFO_NULL, &request, &once});
            if (code != MPI_SUCCESS) return code;
            if (is_nonblocking(form)) return MPI_Wait(&once, MPI_STATUS_IGNORE);
            return is_background(form) ? code_of_start(request) : code;
        });
        BOOST_TEST(job.untouched(), what << ": something was written");
        BOOST_TEST((request == CARPOOL_REQUEST_NULL && once == MPI_REQUEST_NULL),
                   what << ": there is a request");
    }

    bool here_;
    Stage stage_{torus_of(2), moore(2, 1), info_of({{"carpool_check", "all"}})};
};

Type uncommitted_type() {
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    return Type(type);
}

bool i_am_last() { return world_rank() == world_size() - 1; }

}  // namespace

BOOST_AUTO_TEST_SUITE(test_bad_arguments)

BOOST_AUTO_TEST_CASE(an_accepted_call_is_no_refusal) {
    BOOST_TEST(unlike({MPI_ERR_COUNT, {}}, MPI_SUCCESS) == "was accepted");
    BOOST_TEST(unlike({MPI_ERR_COUNT, {}}, MPI_ERR_TYPE).starts_with("has the class of"));
    BOOST_TEST(unlike({MPI_ERR_TYPE, {"xyzzy"}}, MPI_ERR_TYPE).starts_with("does not say"));
    BOOST_TEST(unlike({MPI_ERR_TYPE, {}}, MPI_ERR_TYPE) == "");
}

BOOST_AUTO_TEST_CASE(a_mistake_of_all_ranks_is_refused_on_all_ranks) {
    const auto uncommitted = uncommitted_type();
    for (const Fault& fault : faults(uncommitted)) Trial(true).run(fault);
}

BOOST_AUTO_TEST_CASE(a_mistake_of_one_rank_is_refused_on_all_ranks) {
    const auto uncommitted = uncommitted_type();
    for (const Fault& fault : faults(uncommitted)) Trial(i_am_last()).run(fault);
}

BOOST_AUTO_TEST_CASE(sizes_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    auto more_at = [](std::size_t position) {
        return [=](Exchange& e) {
            const auto in_send = e.send.counts.size() > 1 ? position : 0;
            const auto in_recv = e.recv.counts.size() > 1 ? position : 0;
            e.send.counts[in_send] += e.send.counts[in_send];
            e.recv.counts[in_recv] += e.recv.counts[in_recv];
        };
    };
    const Complaint complaint{MPI_ERR_ARG, {"size in bytes", "expected the same on all ranks"}};
    Trial trial(i_am_last());
    trial.run({"other count", {Operation::alltoall, Operation::allgather}, more_at(0), complaint});
    trial.run({"other first count", send_lists, more_at(0), complaint});
    trial.run({"other last count", send_lists, more_at(7), complaint});
}

BOOST_AUTO_TEST_CASE(an_unknown_rule_is_refused_by_name) {
    const Stage stage(torus_of(2), moore(2, 1));
    const std::pair<const char*, const char*> settings[] = {{"carpool_algorithm", "teleport"},
                                                            {"carpool_transfer", "pigeon"},
                                                            {"carpool_alpha", "dear"},
                                                            {"carpool_beta", "-1"},
                                                            {"carpool_check", "perhaps"}};
    auto job = stage.job(Operation::alltoall);
    for (const auto& [key, value] : settings)
        for (bool here : {true, i_am_last()}) {
            const auto info = here ? info_of({{key, value}}) : info_of({});
            Carpool_Request request = CARPOOL_REQUEST_NULL;
            expect_refusal(key, stage.cart, {MPI_ERR_INFO_VALUE, {key, value}}, [&] {
                return job.post({Form::persistent, stage.cart, info, &request});
            });
        }
}

BOOST_AUTO_TEST_CASE(rules_that_differ_between_ranks_are_refused) {
    if (world_size() == 1) return;
    const Stage stage(torus_of(2), moore(2, 1));
    auto job = stage.job(Operation::alltoall);
    const auto info = info_of({{"carpool_algorithm", i_am_last() ? "torus" : "direct"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("rules", stage.cart, {MPI_ERR_ARG, {"algorithm"}},
                   [&] { return job.post({Form::persistent, stage.cart, info, &request}); });
}

BOOST_AUTO_TEST_CASE(a_communicator_works_after_a_mistake_that_all_know) {
    const Stage stage(torus_of(2), moore(2, 1), info_of({{"carpool_check", "all"}}));
    for (Operation operation : operations) {
        auto bad = stage.job(operation);
        if (i_am_last()) bad.exchange().send.counts[0] = -1;
        MPI_Comm_set_errhandler(stage.cart, MPI_ERRORS_RETURN);
        BOOST_TEST(bad.post({Form::blocking, stage.cart}) != MPI_SUCCESS);
        auto good = stage.job(operation);
        for (Form form : forms)
            BOOST_TEST(run_once(good, form, stage.cart) == "", name_of(operation)
                                                                   << ", " << name_of(form));
    }
}

BOOST_AUTO_TEST_SUITE_END()
