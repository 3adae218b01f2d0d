// ranks: 2 5
// nightly-ranks: 3 4 7 12
// sanitize-ranks: 3
// environment: CARPOOL_TIMEOUT=0.5
//
// Blocking calls on which nobody votes, of which one rank makes one otherwise than all others. A rank
// that sees it has an error, one that waits in vain for the time that is set has one too, and all others
// have the right blocks. The communicator may be freed then, and others are as they were.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "kinds_of_calls.hpp"
#include "refusal.hpp"
#include "ring_calls.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace carpool::tests;

struct Mistake {
    std::string name;
    std::function<void(RingCall&)> make;
    bool seen_at_home;  ///< in the arguments alone
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all{
        {"negative count", [](RingCall& g) { g.count = -1; }, true},
        {"null type", [](RingCall& g) { g.type = MPI_DATATYPE_NULL; }, true},
        {"in place", [](RingCall& g) { g.sendbuf = MPI_IN_PLACE; }, true},
        {"more", [](RingCall& g) { g.count = 2; }, false},
        {"nothing", [](RingCall& g) { g.count = 0; }, false},
        {"other operation", [](RingCall& g) { g.gathers = !g.gathers; }, false},
    };
    return all;
}

/// An error that another rank's messages or its absence have caused names ranks.
void expect_ranks_in_text(int code, const std::string& what) {
    const auto text = text_of(code);
    BOOST_TEST(text.find("rank") != std::string::npos, what << ": " << text);
}

/// Some calls that are right, so that they are kept.
void expect_right(const Ring& ring, const RingCall& given) {
    for (int round = 0; round < 3; ++round) {
        RingBuffers buffers(round);
        auto call = given;
        call.sendbuf = buffers.send.data();
        BOOST_TEST_REQUIRE(called(call, buffers, ring.comm) == MPI_SUCCESS);
        BOOST_TEST_REQUIRE(is_right(buffers, ring, round));
    }
}

void expect_mistake_seen(const Ring& ring, const Mistake& mistake, bool gathers, bool lists) {
    constexpr int round = 9;
    const auto what = ring.name + (gathers ? " allgather" : " alltoall") + (lists ? "v, " : ", ") +
                      mistake.name;
    doing(what);
    RingBuffers buffers(round);
    RingCall given{gathers, lists, 1, MPI_INT, buffers.send.data()};
    expect_right(ring, given);
    const bool mine = world_rank() == world_size() / 2;
    if (mine) mistake.make(given);
    const int code = called(given, buffers, ring.comm);
    if (mine && mistake.seen_at_home)
        BOOST_TEST(code != MPI_SUCCESS, what);
    else if (code != MPI_SUCCESS)
        expect_ranks_in_text(code, what);
    else if (!mine)
        BOOST_TEST(is_right(buffers, ring, round), what);
    BOOST_TEST(anywhere(code != MPI_SUCCESS), what << ": accepted");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_mistaken_calls)

BOOST_AUTO_TEST_CASE(a_mistake_ends_in_errors_or_right_blocks) {
    for (std::size_t i = 0; i < mistakes().size(); ++i) {
        auto all = rings();
        const auto& ring = all[i % all.size()];
        expect_mistake_seen(ring, mistakes()[i], i % 2 == 0, i % 4 < 2);
        for (const auto& other : all)
            if (&other != &ring) expect_right(other, {true, false, 1, MPI_INT, nullptr});
    }
}

/// Also in the very first call, in which ranks agree on what later ones need.
BOOST_AUTO_TEST_CASE(a_rank_that_calls_something_else_ends_in_an_error) {
    for (const bool is_first : {true, false})
        for (const auto& one : kinds_of_calls())
            for (const auto& other : kinds_of_calls()) {
                if (one.name >= other.name) continue;
                doing(one.name + " and " + other.name + (is_first ? ", first" : ""));
                const auto ring = ring_of_all();
                for (int i = 0; !is_first && i < 3; ++i)
                    BOOST_TEST_REQUIRE((one.call(ring) == MPI_SUCCESS &&
                                        other.call(ring) == MPI_SUCCESS));
                const int code = (world_rank() == 0 ? one : other).call(ring);
                BOOST_TEST(anywhere(code != MPI_SUCCESS), one.name << " and " << other.name);
            }
    BOOST_TEST(kinds_of_calls()[0].call(ring_of_all()) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_CASE(messages_of_another_call_are_told_by_its_name) {
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int one = 1;
    int sum = 0;
    const auto allreduce = [&](MPI_Op op) {
        return Carpool_Allreduce(&one, &sum, 1, MPI_INT, op, comm);
    };
    for (const MPI_Op op : {MPI_SUM, MPI_MAX}) BOOST_TEST(allreduce(op) == MPI_SUCCESS);
    const int code = allreduce(world_rank() == 0 ? MPI_MAX : MPI_SUM);
    const auto text = code == MPI_SUCCESS ? "" : text_of(code);
    const auto other = world_rank() == 0 ? "allreduce with MPI_SUM" : "allreduce with MPI_MAX";
    BOOST_TEST(anywhere(text.find(other) != std::string::npos), text);
    BOOST_TEST((code != MPI_SUCCESS || sum == world_size()));
}

/// A rank that comes late has made no mistake: who has waited long enough says whom it misses.
BOOST_AUTO_TEST_CASE(a_wait_that_lasts_longer_than_is_set_names_who_is_missing) {
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    BOOST_TEST(Carpool_Barrier(comm) == MPI_SUCCESS);
    const int last = world_size() - 1;
    if (world_rank() == 0) {
        const int code = Carpool_Bcast(nullptr, 0, MPI_INT, last, comm);
        const Complaint missing{MPI_ERR_OTHER,
                                {"Carpool_Bcast", "rank 0 waits for", "call 2", "CARPOOL_TIMEOUT"}};
        BOOST_TEST(unlike(missing, code) == "");
        const Complaint broken{MPI_ERR_OTHER, {"an earlier call on comm has failed"}};
        BOOST_TEST(unlike(broken, Carpool_Barrier(comm)) == "");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Ranks 0 and 1 share memory wherever some do. Blocks of this length go by MPI there, which does
/// not always keep to a receive that is too short.
BOOST_AUTO_TEST_CASE(a_long_block_that_does_not_fit_writes_nothing_behind_its_place) {
    const auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto ranks = static_cast<std::size_t>(world_size());
    constexpr int sent = 60000;
    constexpr int expected = sent / 2;
    std::vector<int> from(static_cast<std::size_t>(sent), 7), to(from.size(), -1);
    std::vector<int> sendcounts(ranks), recvcounts(ranks), displs(ranks);
    if (world_rank() == 0) sendcounts[1] = sent;
    if (world_rank() == 1) recvcounts[0] = expected;
    const int code = Carpool_Alltoallv(from.data(), sendcounts.data(), displs.data(), MPI_INT,
                                       to.data(), recvcounts.data(), displs.data(), MPI_INT, comm);
    BOOST_TEST((world_rank() != 1 || code != MPI_SUCCESS));
    const auto behind = to.begin() + (world_rank() == 1 ? expected : 0);
    BOOST_TEST(std::all_of(behind, to.end(), [](int one) { return one == -1; }));
}

BOOST_AUTO_TEST_SUITE_END()
