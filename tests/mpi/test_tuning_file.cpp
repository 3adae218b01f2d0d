// SPDX-License-Identifier: MIT
// ranks: 1 4
// sanitize-ranks: 3
//
// The file that CARPOOL_TUNING names on the lowest rank decides for all ranks; the lowest rank
// reports its errors.

#include <boost/test/unit_test.hpp>

#include "environment.hpp"
#include "handles.hpp"
#include "standard_error.hpp"
#include "tuning_file.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <sys/stat.h>

#include <cstdio>
#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(test_tuning_file)

namespace {

using namespace carpool::tests;

/// A communicator of all ranks whose errors return.
Comm returning_errors() {
    auto comm = duplicate_of_world();
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/// A file by which everything is free except the given costs.
std::string file_with(const std::string& costs) {
    std::string levels;
    for (const std::string level : {"by_mpi", "through_memory", "between_nodes"})
        levels += (levels.empty() ? "\"" : ", \"") + level + "\": {" + costs + "}";
    return file_saying(R"("collectives": {)" + levels + "}");
}

/// The algorithm of an allgather with short blocks.
std::string chosen() {
    const auto comm = returning_errors();
    const char own = 'a';
    std::vector<char> all(static_cast<std::size_t>(world_size()));
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    BOOST_REQUIRE(Carpool_Allgather_init(&own, 1, MPI_CHAR, all.data(), 1, MPI_CHAR, comm,
                                         MPI_INFO_NULL, &request) == MPI_SUCCESS);
    Carpool_Plan plan;
    Carpool_Request_get_plan(request, &plan);
    Carpool_Request_free(&request);
    return plan.algorithm;
}

/// What a successful first call writes to stderr.
std::string told_by_a_call() {
    const auto comm = returning_errors();
    const StandardError told;
    int number = 1;
    BOOST_TEST(Carpool_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    BOOST_TEST(number == world_size());
    return told.text();
}

/// Checks that the lowest rank reports an error, and the others nothing.
void check_complaint(const std::string& text, const std::string& expected) {
    if (world_rank() > 0) {
        BOOST_TEST(text == "");
        return;
    }
    for (const auto& word : {std::string("CARPOOL_TUNING"), expected})
        BOOST_TEST(text.find(word) != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(costs_in_the_file_choose_the_rule) {
    if (world_size() < 4) return;
    const Environment choice("CARPOOL_CHOICE", "model");
    std::string dear_messages;
    std::string dear_phases;
    {
        const TuningFile file(file_with(R"("alpha": 1, "beta": 0, "sigma": 0)"));
        dear_messages = chosen();
    }
    {
        const TuningFile file(file_with(R"("alpha": 0, "beta": 0, "sigma": 1)"));
        dear_phases = chosen();
    }
    BOOST_TEST(dear_phases == "spread");  // the only algorithm with one phase
    BOOST_TEST(dear_messages != dear_phases);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_ignored) {
    const auto usual = chosen();
    const Environment nowhere("CARPOOL_TUNING", "no/such/file.json");
    BOOST_TEST(chosen() == usual);
}

BOOST_AUTO_TEST_CASE(an_invalid_file_is_reported_once_and_ignored) {
    if (world_size() < 2) return;  // one rank needs no costs
    const std::pair<std::string, std::string> mistakes[] = {
        {"{\n\"carpool_tuning\": 1,\n\"machines\": [}", "line 3: expected a value"},
        {R"({"carpool_tuning": 2, "machines": []})", "its version"},
        {R"({"carpool_tuning": 1, "machines": [1]})", "an object with a text \"mpi\" for each"},
        {file_saying(R"("cut_offs": {"packed_below": -1})"), "packed_below, expected whole bytes"},
        {file_saying(R"("cut_offs": {"whole_through_memory": 1e99})"), "expected whole bytes"},
        {file_saying(R"("cut_offs": {"packed_below_per_part": "8"})"), "expected whole bytes"},
        {file_saying(R"("cut_offs": [4096])"), "cut_offs, expected an object"}};
    for (const auto& [text, expected_error] : mistakes) {
        const TuningFile file(text);
        check_complaint(told_by_a_call(), expected_error);
        BOOST_TEST(told_by_a_call() == "");
    }
}

/// A pipe is not even opened, since no process might ever write to it.
BOOST_AUTO_TEST_CASE(only_regular_files_are_read) {
    if (world_size() < 2) return;
    {
        const Environment folder("CARPOOL_TUNING", "/");
        check_complaint(told_by_a_call(), "a regular file");
    }
    const TuningFile pipe("");
    if (world_rank() == 0) {
        std::remove(pipe.name().c_str());
        mkfifo(pipe.name().c_str(), 0600);
    }
    check_complaint(told_by_a_call(), "a regular file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
