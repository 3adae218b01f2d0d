// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_ranks.hpp"
#include "simulate/loggp.hpp"
#include "simulate/simgrid.hpp"
#include "simulate/trace.hpp"

#include <sstream>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_loggp)

using namespace carpool;
using schedule::Message;
using schedule::Schedule;
using schedule::Slot;
using simulate::Action;
using simulate::Trace;

namespace {

constexpr std::int64_t kilobyte = 1000;

/// Whole seconds, so that what is expected can be added up in the head.
constexpr choose::Costs costs{
    .node = {.alpha = 3, .beta = 0.001, .sigma = 5, .share_of_send = 1.0 / 3},
    .network = {.alpha = 3, .beta = 0.01, .sigma = 10, .share_of_send = 1.0 / 3},
    .adapter_per_byte = 0.01,
    .adapter_per_message = 3,
    .copy_per_byte = 0.1};

topology::Nodes nodes_of(std::vector<std::uint64_t> names) { return topology::Nodes(names); }

/// A block from rank to rank by a chain of ranks: 0 to 1 to 2 and so on.
std::vector<Trace> chain(int ranks, std::int64_t bytes) {
    std::vector<Trace> traces;
    for (int rank = 0; rank < ranks; ++rank) {
        Schedule schedule{1, 1, 0, {}, {}, {}, {}};
        const Slot received{Slot::Kind::recv, 0};
        if (rank > 0)
            schedule.rounds.push_back({rank - 1, {-1, {}}, {rank - 1, {{received, bytes}}}});
        const Slot sent = rank == 0 ? Slot{Slot::Kind::send, 0} : received;
        if (rank + 1 < ranks)
            schedule.rounds.push_back({rank, {rank + 1, {{sent, bytes}}}, {-1, {}}});
        traces.push_back(simulate::trace_of(schedule));
    }
    return traces;
}

/// All ranks but 0 send that much to rank 0.
std::vector<Trace> to_rank_0(int ranks, std::int64_t bytes) {
    std::vector<Trace> traces(static_cast<std::size_t>(ranks));
    for (int rank = 1; rank < ranks; ++rank) {
        traces[0].receives.push_back({rank, 0, bytes});
        traces[0].actions.push_back({Action::Kind::wait, rank - 1});
        auto& sender = traces[static_cast<std::size_t>(rank)];
        sender.sends.push_back({0, 0, bytes});
        sender.actions.push_back({Action::Kind::send, 0});
    }
    return traces;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_between_nodes_takes_both_overheads_the_latency_and_its_bytes_once) {
    const auto cost = simulate::evaluate(chain(2, kilobyte), costs, nodes_of({0, 1}));
    BOOST_TEST(cost.time == 1 + 10 + 10 + 2, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(cost.busy == 2);
    BOOST_TEST(cost.traffic[1].messages == 1);
    BOOST_TEST(cost.traffic[1].bytes == kilobyte);
    BOOST_TEST(cost.busiest_adapter.bytes == kilobyte);
}

BOOST_AUTO_TEST_CASE(a_message_within_a_node_passes_no_adapter) {
    const auto cost = simulate::evaluate(chain(2, kilobyte), costs, nodes_of({0, 0}));
    BOOST_TEST(cost.time == 1 + 5 + 1 + 2, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(cost.traffic[0].messages == 1);
    BOOST_TEST(cost.traffic[1].messages == 0);
    BOOST_TEST(cost.busiest_adapter.bytes == 0);
}

BOOST_AUTO_TEST_CASE(a_block_that_is_forwarded_takes_all_of_its_hops_one_after_the_other) {
    const auto cost = simulate::evaluate(chain(4, kilobyte), costs, nodes_of({0, 1, 2, 3}));
    BOOST_TEST(cost.time == 3 * (1 + 10 + 10 + 2), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(messages_pass_the_adapter_of_a_node_one_after_the_other) {
    const auto long_ones =
        simulate::evaluate(to_rank_0(5, kilobyte), costs, nodes_of({0, 1, 2, 3, 4}));
    BOOST_TEST(long_ones.time == 1 + 10 + 4 * 10 + 2, boost::test_tools::tolerance(1e-12));
    const auto empty_ones = simulate::evaluate(to_rank_0(5, 0), costs, nodes_of({0, 1, 2, 3, 4}));
    BOOST_TEST(empty_ones.time == 1 + 10 + 3 * 3 + 2, boost::test_tools::tolerance(1e-12));
    const auto out_of_one_node =
        simulate::evaluate(to_rank_0(5, kilobyte), costs, nodes_of({0, 1, 1, 1, 1}));
    BOOST_TEST(out_of_one_node.time == long_ones.time, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_short_message_passes_between_the_packets_of_a_long_one) {
    auto traces = to_rank_0(3, 8 * kilobyte);
    traces[2].sends.front().bytes = 0;
    traces[0].receives.back().bytes = 0;
    traces[0].actions.pop_back();  // waits for the long one alone
    const auto long_one = simulate::evaluate(traces, costs, nodes_of({0, 1, 1}));
    BOOST_TEST(long_one.time == 1 + 10 + 80 + 3 + 2, boost::test_tools::tolerance(1e-12));
    traces[0].actions.front().number = 1;  // waits for the short one alone
    const auto short_one = simulate::evaluate(traces, costs, nodes_of({0, 1, 1}));
    BOOST_TEST(short_one.time < 1 + 10 + 20 + 2);
}

BOOST_AUTO_TEST_CASE(a_rank_takes_messages_in_the_order_in_which_they_come) {
    auto traces = to_rank_0(3, 0);
    traces[1].actions.insert(traces[1].actions.begin(), {Action::Kind::copy, 500});
    const auto cost = simulate::evaluate(traces, costs, nodes_of({0, 1, 2}));
    BOOST_TEST(cost.time == 50 + 1 + 10 + 2, boost::test_tools::tolerance(1e-12));
}

/// The time of blocks at these places at both ends.
double time_of_blocks_at(std::vector<int> places) {
    const int slots = places.back() + 1;
    Schedule sender{slots, 0, 0, {{0, {1, {}}, {-1, {}}}}, {}, {}, {}};
    Schedule receiver{0, slots, 0, {{0, {-1, {}}, {0, {}}}}, {}, {}, {}};
    for (const int place : places) {
        sender.rounds.front().send.parts.push_back({{Slot::Kind::send, place}, 10});
        receiver.rounds.front().receive.parts.push_back({{Slot::Kind::recv, place}, 10});
    }
    const std::vector traces{simulate::trace_of(sender), simulate::trace_of(receiver)};
    return simulate::evaluate(traces, costs, nodes_of({0, 1})).time;
}

BOOST_AUTO_TEST_CASE(a_message_of_blocks_that_do_not_adjoin_is_copied_at_both_ends) {
    BOOST_TEST(time_of_blocks_at({0, 1, 2}) == 1 + 10 + 0.3 + 2,
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(time_of_blocks_at({0, 2, 3}) == 3 + 1 + 10 + 0.3 + 2 + 3,
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST(time_of_blocks_at({1, 0, 2}) == 3 + 1 + 10 + 0.3 + 2 + 3,
               boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(every_algorithm_sends_in_its_traces_what_its_schedules_send) {
    using namespace collective_ranks;
    for (const int ranks : {1, 2, 5, 8, 13})
        for (const auto kind : collectives::kinds())
            for (const auto& one : collectives::algorithms(kind)) {
                const auto problem = equal_blocks(kind, ranks, 8);
                if (!one.applies(problem)) continue;
                std::int64_t messages = 0;
                std::int64_t bytes = 0;
                std::vector<Trace> traces;
                for (const auto& schedule : schedules(one, {problem})) {
                    messages += schedule::messages_sent(schedule);
                    bytes += schedule::bytes_sent(schedule);
                    traces.push_back(simulate::trace_of(schedule));
                }
                const std::vector<std::uint64_t> one_node(static_cast<std::size_t>(ranks));
                const auto cost = simulate::evaluate(traces, costs, nodes_of(one_node));
                BOOST_TEST_CONTEXT(one.name << " on " << ranks << " ranks") {
                    BOOST_TEST(cost.traffic[0].messages == messages);
                    BOOST_TEST(cost.traffic[0].bytes == bytes);
                }
            }
}

BOOST_AUTO_TEST_CASE(a_message_that_nobody_receives_is_refused) {
    auto traces = to_rank_0(2, 0);
    traces[0].receives.front().tag = 1;
    BOOST_CHECK_THROW(simulate::evaluate(traces, costs, nodes_of({0, 1})), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_rank_that_waits_for_ever_is_refused) {
    auto traces = to_rank_0(2, 0);
    traces[1].actions.clear();
    BOOST_CHECK_THROW(simulate::evaluate(traces, costs, nodes_of({0, 1})), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(simgrid_reads_receives_first_then_what_each_rank_does) {
    std::ostringstream out;
    simulate::write_simgrid(out, chain(3, kilobyte), costs, nodes_of({0, 1, 2}), kilobyte);
    BOOST_TEST(out.str() ==
               "0 init\n1 init\n2 init\n"
               "0 isend 1 0 1000\n0 waitall\n"
               "1 irecv 0 0 1000\n1 wait 0 1 0\n1 sleep 2\n1 isend 2 0 1000\n1 waitall\n"
               "2 irecv 1 0 1000\n2 wait 1 2 0\n2 sleep 2\n2 waitall\n"
               "0 finalize\n1 finalize\n2 finalize\n");
}

BOOST_AUTO_TEST_SUITE_END()
