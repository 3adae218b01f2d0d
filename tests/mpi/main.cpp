// SPDX-License-Identifier: MIT
// The main of every MPI test.
//
// Boost.Test runs between MPI_Init and MPI_Finalize. Every rank prints its own failures, each line
// with its rank; all ranks exit nonzero if one failed. A hang ends after CARPOOL_TEST_LIMIT
// seconds, and each rank prints what it was doing.

#include "current_step.hpp"
#include "rank_lines.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include <unistd.h>

namespace {

using namespace carpool::tests;

class RememberCase : public boost::unit_test::test_observer {
public:
    void test_unit_start(const boost::unit_test::test_unit& unit) override {
        note_step(unit.p_name.get());
    }
};

void report_hang(int) {
    static char line[sizeof current_step + 64];
    std::snprintf(line, sizeof line, "[%d] hangs in: %s\n", world_rank(), current_step);
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line, std::strlen(line));
    sleep(2);  // until the other ranks have printed theirs
    _exit(124);
}

void limit_time() {
    const char* limit = std::getenv("CARPOOL_TEST_LIMIT");
    std::signal(SIGALRM, report_hang);
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 110u);
}

/// CARPOOL_TEST_THREADS=multiple in the environment lets several threads call MPI.
int threads() {
    return std::getenv("CARPOOL_TEST_THREADS") != nullptr ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
}

/// CARPOOL_TEST_NODES=2 in the environment lets only pairs of ranks share memory, as if each pair
/// were on a node of its own.
void stay_on_nodes() {
    if (const char* ranks = std::getenv("CARPOOL_TEST_NODES"))
        setenv("CARPOOL_NODE", std::to_string(world_rank() / std::atoi(ranks)).c_str(), 1);
}

int run_tests(int argc, char* argv[]) {
    namespace ut = boost::unit_test;
    RememberCase remember_case;
    RankLines lines(world_rank(), world_size());
    auto* const out = std::cout.rdbuf(&lines);
    auto* const err = std::cerr.rdbuf(&lines);
    setenv("BOOST_TEST_COLOR_OUTPUT", "no", 0);
    ut::framework::register_observer(remember_case);
    const int failed = ut::unit_test_main([] { return true; }, argc, argv);
    ut::framework::deregister_observer(remember_case);
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    return failed;
}

}  // namespace

int main(int argc, char* argv[]) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, threads(), &provided);
    limit_time();
    stay_on_nodes();
    int failed = run_tests(argc, argv);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
