// SPDX-License-Identifier: MIT
// ranks: 1 2 3 7
// nightly-ranks: 4 13
// sanitize-ranks: 3 4
//
// Distributed graphs of every kind, by every rule, operation and form, compared with the oracle.

#include <boost/test/unit_test.hpp>

#include "checked_exchange.hpp"
#include "current_step.hpp"
#include "environment.hpp"
#include "graph_neighbors.hpp"
#include "operators.hpp"
#include "reduction.hpp"
#include "seed.hpp"
#include "world.hpp"

BOOST_AUTO_TEST_SUITE(test_neighborhoods_on_graphs)

namespace {

using namespace carpool::tests;

constexpr const char* algorithms[] = {"direct",    "friends", "cumulative", "mesh",   "grid",
                                      "hypercube", "digits",  "node",       "node:2", "auto"};

/// All rules on few ranks, two rules on many: planning takes many supersteps, and there are more
/// ranks than cores.
std::vector<const char*> sample(std::mt19937& rng) {
    std::vector<const char*> chosen(std::begin(algorithms), std::end(algorithms));
    std::shuffle(chosen.begin(), chosen.end(), rng);
    if (world_size() > 4) chosen.resize(2);
    return chosen;
}

/// Runs two starts of a persistent request, or two calls, of which the second reuses the first
/// one's plan.
std::string fault_of(CheckedExchange& exchange, Form form, MPI_Comm comm, const char* algorithm) {
    if (!is_persistent(form)) {
        const auto first = run_once(exchange, form, comm);
        return first.empty() ? run_once(exchange, form, comm) : first;
    }
    const auto info = info_of({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    if (exchange.make_call({form, comm, info, &request}) != MPI_SUCCESS) return "init failed";
    std::string fault;
    for (int start = 0; start < 2 && fault.empty(); ++start) {
        exchange.prepare(start);
        Carpool_Start(&request);
        Carpool_Wait(&request, MPI_STATUS_IGNORE);
        fault = exchange.fault();
    }
    Carpool_Request_free(&request);
    return fault;
}

/// Runs one rule, set by environment or info, for all operations, each in some forms.
void visit(const NamedGraph& graph, const Neighbors& neighbors, const char* algorithm,
           std::mt19937& rng) {
    const Environment rule("CARPOOL_ALGORITHM", algorithm);
    const Environment theta("CARPOOL_THETA", std::to_string(1 + rng() % 4));
    const auto comm = distributed_graph(neighbors);
    for (Operation operation : operations) {
        CheckedExchange exchange(
            along_edges(operation, neighbors, world_rank(), static_cast<int>(rng() % 3)),
            neighbors);
        for (int n = 0; n < 2; ++n) {
            const auto form = forms[rng() % std::size(forms)];
            const auto what =
                graph.name + ": " + name_of(operation) + ", " + algorithm + ", " + name_of(form);
            note_step(what);
            const auto fault = fault_of(exchange, form, comm, algorithm);
            BOOST_TEST(fault.empty(), what << ": " << fault);
        }
    }
}

void reduce(const NamedGraph& graph, const Neighbors& neighbors, const char* algorithm,
            const Kind& kind, bool scatters, std::mt19937& rng) {
    const Environment rule("CARPOOL_ALGORITHM", algorithm);
    const auto comm = distributed_graph(neighbors);
    const Reduction r{{},       {graph.name, 1, {}},         kind,
                      scatters, static_cast<int>(rng() % 4), &neighbors};
    const auto form = forms[rng() % std::size(forms)];
    note_step(r.text() + ", " + algorithm + ", " + name_of(form));
    auto send = operands(r, world_rank(), 0);
    const auto expected = reduced_naively(r, send, MPI_COMM_WORLD);
    Elements recv(kind.type, r.count);
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    MPI_Request once = MPI_REQUEST_NULL;
    BOOST_TEST(make_call(r, send, recv, {form, comm, MPI_INFO_NULL, &request, &once}) ==
               MPI_SUCCESS);
    if (is_persistent(form)) Carpool_Start(&request);
    if (is_persistent(form)) Carpool_Wait(&request, MPI_STATUS_IGNORE);
    if (is_persistent(form)) Carpool_Request_free(&request);
    MPI_Wait(&once, MPI_STATUS_IGNORE);
    BOOST_TEST((recv == expected), r.text() << ", " << algorithm << ", " << name_of(form));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_operation_and_form_gives_what_the_oracle_gives) {
    auto rng = seeded();
    for (const auto& graph : graph_cases(world_size())) {
        const auto mine = own_neighbors(graph.targets, rng);
        for (const char* algorithm : sample(rng)) visit(graph, mine, algorithm, rng);
    }
}

BOOST_AUTO_TEST_CASE(every_rule_reduces_as_the_oracle_does) {
    auto rng = seeded();
    const Kinds kinds;
    const auto all = kinds.all();
    for (const auto& graph : graph_cases(world_size())) {
        std::mt19937 order(7);
        const auto mine = own_neighbors(graph.targets, order);
        for (const char* algorithm : sample(rng))
            for (const bool scatters : {false, true})
                reduce(graph, mine, algorithm, all[rng() % all.size()], scatters, rng);
    }
}

BOOST_AUTO_TEST_SUITE_END()
