// SPDX-License-Identifier: MIT
// The text of a report, from what was recorded.

#include <boost/test/unit_test.hpp>

#include "report/summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

BOOST_AUTO_TEST_SUITE(test_summary)

namespace {

using carpool::report::Calls;
using carpool::report::Maker;
using carpool::report::Record;
using carpool::report::RecordedCalls;
using carpool::report::size_class_of;
using carpool::report::summary_of;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t widest(const std::string& text) {
    std::size_t most = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
    return most;
}

/// Records so many calls of the same size and time; the first one is cold.
void add_calls(RecordedCalls& all, int comm, const char* operation, std::int64_t bytes, Maker maker,
               int count, double seconds) {
    auto& calls = all.calls[{comm, operation, size_class_of(bytes), maker}];
    calls.bytes.add({bytes, bytes});
    calls.ended.cold.add({seconds, seconds});
    for (int i = 1; i < count; ++i) calls.ended.warm.add({seconds, seconds});
}

void add_starts(RecordedCalls& all, int comm, const char* operation, bool persistent,
                std::int64_t bytes, int count, double seconds) {
    auto& record = all.records[{{comm, operation, persistent, size_class_of(bytes)}, "spread"}];
    record.bytes.add({bytes, bytes});
    record.forecast.sent[0].messages = 3;
    record.starts.warm.add({seconds, seconds}, count);
}

/// The words of a text, without its lines.
std::string in_one_line(const std::string& text) {
    std::string words;
    std::istringstream all(text);
    for (std::string word; all >> word;) words += word + ' ';
    return words;
}

BOOST_AUTO_TEST_CASE(
    the_time_in_all_has_the_first_call_that_the_mean_leaves_out_and_the_legend_says_so) {
    RecordedCalls all;
    all.run_seconds = 1;
    const int comm = all.comms.add({"torus 2x2", "tori 2x2", 4, ""});
    auto& calls = all.calls[{comm, "alltoallw", size_class_of(24), Maker::carpool}];
    calls.bytes.add({24, 24});
    calls.ended.cold.add({1e-3, 1e-3});
    calls.ended.warm.add({2e-6, 2e-6}, 450);
    const auto text = in_one_line(summary_of(all));
    BOOST_TEST_CONTEXT(text) {
        BOOST_TEST(has(text, "Carpool 451 2 us 1.9 ms"));
        BOOST_TEST(has(text, "In all: the time inside calls, with first ones, "));
    }
}

BOOST_AUTO_TEST_CASE(calls_of_carpool_and_of_the_host_stand_together_and_are_compared) {
    RecordedCalls all;
    all.run_seconds = 100;
    const int comm = all.comms.add({"torus 2x2", "tori 2x2", 4, "made by the 1st of its kind"});
    add_calls(all, comm, "alltoallw", 24, Maker::host, 50, 4e-3);
    add_calls(all, comm, "alltoallw", 24, Maker::carpool, 1001, 1e-3);
    add_starts(all, comm, "alltoallw", false, 24, 1001, 0.9e-3);
    const auto text = summary_of(all);
    BOOST_TEST(has(text, "what rank 0 has done, in a run of 100 s"));
    BOOST_TEST(has(text,
                   "alltoallw on torus 2x2, 4 ranks: 1.2 s, 1.2 % of the run\n"
                   "(made by the 1st of its kind)\n"));
    BOOST_TEST(has(text, "  24 B  MPI         50    4 (4.2-4.2) ms  200 ms\n"), text);
    BOOST_TEST(has(text, "  24 B  Carpool   1001"));
    BOOST_TEST(has(text, "    1 s      0.25\n"), text);
    BOOST_TEST(has(text, "by spread: 1001 starts, 3 messages each"));
    BOOST_TEST(
        has(text,
            "Carpool took 1 s for 1001 calls, 1 ms of it in first ones; at the mean of MPI's\n"
            "  own calls of these sizes, they would have taken about 4 s.\n"),
        text);
    add_calls(all, comm, "alltoallw", 24, Maker::carpool, 1, 1e-3);
    all.calls[{comm, "alltoallw", size_class_of(24), Maker::host}].ended.warm.add({9, 9});
    BOOST_TEST(has(in_one_line(summary_of(all)), "so this says little"));
}

BOOST_AUTO_TEST_CASE(a_few_calls_are_not_compared) {
    RecordedCalls all;
    all.run_seconds = 1;
    const int comm = all.comms.add({"MPI_COMM_WORLD", "", 4});
    add_calls(all, comm, "bcast", 8, Maker::host, 3, 1e-3);
    add_calls(all, comm, "bcast", 8, Maker::carpool, 100, 1e-3);
    BOOST_TEST(!has(summary_of(all), "would"));
}

BOOST_AUTO_TEST_CASE(sizes_are_exact_and_a_row_with_several_says_from_which_to_which) {
    RecordedCalls all;
    all.run_seconds = 1;
    const int comm = all.comms.add({"a graph", "graphs", 4});
    add_calls(all, comm, "neighbor_alltoallv", 1020, Maker::carpool, 10, 1e-6);
    add_calls(all, comm, "neighbor_alltoallv", 513, Maker::carpool, 10, 1e-6);
    add_calls(all, comm, "neighbor_alltoallv", 40'000, Maker::carpool, 10, 1e-6);
    const auto text = summary_of(all);
    BOOST_TEST(has(text, "  513-1020 B  Carpool     20"), text);
    BOOST_TEST(has(text, "    39.1 KiB  Carpool     10"), text);
}

BOOST_AUTO_TEST_CASE(a_few_communicators_of_a_kind_have_a_table_each_and_many_share_one) {
    RecordedCalls all;
    all.run_seconds = 1;
    for (int i = 0; i < 55; ++i) {
        const int comm = all.comms.add({"a graph", "graphs", 4});
        add_calls(all, comm, "neighbor_alltoall", 8, Maker::carpool, 2, 1e-3);
    }
    for (const char* made : {"made by A", "made by B"}) {
        const int comm = all.comms.add({"a graph", "graphs", 16, made});
        add_calls(all, comm, "neighbor_alltoall", 8, Maker::carpool, 1, 1e-3);
    }
    const auto text = summary_of(all);
    BOOST_TEST(has(text, "neighbor_alltoall on 55 graphs, 4 ranks each: 110 ms"), text);
    BOOST_TEST(has(text,
                   "neighbor_alltoall on a graph, 16 ranks: 1 ms, 0.1 % of the run\n"
                   "(made by A)\n"));
    BOOST_TEST(has(text, "(made by B)\n"));
    BOOST_TEST(std::ranges::count(text, '\n') < 40);
}

BOOST_AUTO_TEST_CASE(starts_that_an_unchanged_program_has_not_called_are_left_out) {
    RecordedCalls all;
    all.run_seconds = 1;
    const int comm = all.comms.add({"a graph", "graphs", 4});
    add_starts(all, comm, "neighbor_alltoall", false, 1, 1, 1e-3);
    BOOST_TEST(has(summary_of(all), "neighbor_alltoall on a graph"));
    all.unchanged = true;
    BOOST_TEST(!has(summary_of(all), "neighbor_alltoall"));
    add_starts(all, comm, "neighbor_alltoall", true, 1, 1, 1e-3);
    BOOST_TEST(has(summary_of(all), "persistent neighbor_alltoall on a graph"));
}

BOOST_AUTO_TEST_CASE(each_reason_for_the_hosts_calls_has_its_remedy_and_shares) {
    RecordedCalls all;
    all.run_seconds = 10;
    const std::string remedy = "try --calls neighbor,OPERATIONS";
    all.host_calls[{"not asked", "bcast"}] = {remedy, 6, 0.001};
    all.host_calls[{"not asked", "allreduce"}] = {remedy, 210, 0.8};
    all.host_calls[{"one rank", "barrier"}] = {"", 7, 0};
    const auto text = summary_of(all);
    BOOST_TEST(has(text,
                   "  not asked: try --calls neighbor,allreduce,bcast\n"
                   "    allreduce  210  800 ms   8.0 % of the run\n"
                   "    bcast        6    1 ms  <0.1 % of the run\n"
                   "  one rank\n"
                   "    barrier"),
               text);
}

BOOST_AUTO_TEST_CASE(a_call_whose_end_was_not_seen_counts_and_has_no_mean) {
    RecordedCalls all;
    all.run_seconds = 1;
    const int comm = all.comms.add({"a graph", "graphs", 4});
    all.calls[{comm, "allgather", 3, Maker::carpool}] = {{8, 8}, {}, 7, 2e-3};
    const auto text = summary_of(all);
    BOOST_TEST(has(text, "  8 B  Carpool      7                 ?    2 ms\n"), text);
    BOOST_TEST(has(text, "?: calls whose end is not seen"));
}

BOOST_AUTO_TEST_CASE(of_many_tables_those_that_took_longest_are_shown_and_the_rest_is_counted) {
    RecordedCalls all;
    all.run_seconds = 100;
    for (int i = 1; i <= 100; ++i) {
        const auto name = "comm " + std::to_string(i);
        const int comm = all.comms.add({name, name, 4});
        add_starts(all, comm, "bcast", true, 8, 1, i * 1e-3);
    }
    const auto text = summary_of(all);
    BOOST_TEST(has(text, "bcast on comm 100, 4 ranks: 100 ms"));
    BOOST_TEST(!has(text, "bcast on comm 84,"));
    BOOST_TEST(has(text, "\nand 84 more tables, of 3.57 s, 3.6 % of the run; "), text);
}

BOOST_AUTO_TEST_CASE(long_lines_fit_into_80_columns) {
    RecordedCalls all;
    all.run_seconds = 123'456.7;
    const int comm = all.comms.add(
        {"a duplicate of every 16th rank from 0 to 65520 of MPI_COMM_WORLD", "duplicates", 4096,
         "made by the 1234th MPI_Dist_graph_create_adjacent of all ranks of MPI_COMM_WORLD"});
    for (const auto maker : {Maker::host, Maker::carpool})
        for (const std::int64_t bytes : {1'000'000'001, 1'010'000'000})
            add_calls(all, comm, "reduce_scatter_block", bytes, maker, 1'234'567, 1.234567e-4);
    add_starts(all, comm, "reduce_scatter_block", false, 7, 1'234'567, 1e-4);
    add_starts(all, comm, "neighbor_alltoallw", true, 1'010'000'000, 1'234'567, 1.23456e-4);
    all.host_calls[{"persistent: a tool intercepts MPI_Start, MPI_Wait or the like, as it may",
                    "neighbor_alltoallw_init"}] = {"without it, there would be such requests",
                                                   1'234'567, 1234.567};
    BOOST_TEST(widest(summary_of(all)) <= 80u, summary_of(all));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
