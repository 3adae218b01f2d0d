// SPDX-License-Identifier: MIT
// Which operation a function of MPI is one of, by its name.

#include <boost/test/unit_test.hpp>

#include "interpose/function_name.hpp"

#include <cctype>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(test_function_name)

namespace {

using carpool::interpose::function_named;
using carpool::interpose::names_of_operations;

/// The operation, and "init" after it for a persistent request; empty if there is none.
std::string read(std::string_view name) {
    const auto named = function_named(name);
    if (!named) return {};
    return names_of_operations[named->operation] + std::string(named->is_init ? " init" : "");
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_in_all_forms_are_read) {
    BOOST_CHECK_EQUAL(read("MPI_Alltoall"), "alltoall");
    BOOST_CHECK_EQUAL(read("MPI_Ialltoallv_c"), "alltoallv");
    BOOST_CHECK_EQUAL(read("MPI_Ibarrier"), "barrier");
    BOOST_CHECK_EQUAL(read("MPI_Scan_init"), "scan init");
    BOOST_CHECK_EQUAL(read("MPI_Ineighbor_alltoallw"), "neighbor_alltoallw");
    BOOST_CHECK_EQUAL(read("MPI_Neighbor_alltoallw_init_c"), "neighbor_alltoallw init");
    BOOST_CHECK_EQUAL(read("MPI_Ireduce_scatter_block_c"), "reduce_scatter_block");
}

BOOST_AUTO_TEST_CASE(other_names_are_none) {
    for (const auto* const name : {"MPI_Wait", "MPI_Init", "MPI_Reduce_local", "MPI_Isend", "MPI_I",
                                   "MPI_", "mpi_igatherv_", "Carpool_Alltoall", ""})
        BOOST_CHECK_EQUAL(read(name), "");
}

BOOST_AUTO_TEST_CASE(every_operation_has_a_name) {
    for (const std::string name : names_of_operations) {
        const std::string upper(1, static_cast<char>(std::toupper(name.front())));
        BOOST_CHECK_EQUAL(read("MPI_" + upper + name.substr(1)), name);
        BOOST_CHECK_EQUAL(read("MPI_I" + name), name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
