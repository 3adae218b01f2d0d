// SPDX-License-Identifier: MIT
// The rank graphs of public sparse matrices (tests/graphs/README.md), by every rule and operation.

#include <boost/test/unit_test.hpp>

#include "graph_checks.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

BOOST_AUTO_TEST_SUITE(test_real_graphs)

using namespace carpool;

namespace {

/// A Matrix Market pattern: the entry "i j" is an edge from rank j - 1 to rank i - 1.
topology::Graph graph_in(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    while (in.peek() == '%') std::getline(in, line);
    std::size_t ranks = 0, columns = 0, entries = 0;
    in >> ranks >> columns >> entries;
    std::vector<std::vector<int>> targets(ranks);
    for (int to = 0, from = 0; in >> to >> from;)
        targets[static_cast<std::size_t>(from - 1)].push_back(to - 1);
    return topology::graph_of_targets(targets);
}

std::vector<std::filesystem::path> files() {
    std::vector<std::filesystem::path> found;
    const auto folder = std::filesystem::path(__FILE__).parent_path().parent_path() / "graphs";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".mtx") found.push_back(entry.path());
    return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_delivers_every_block_of_real_graphs_by_every_operation) {
    BOOST_TEST(files().size() >= 5u);
    for (const auto& file : files()) {
        const auto graph = graph_in(file);
        BOOST_TEST(!graph.empty(), file);
        for (const auto operation : schedule::operations())
            check_every_rule({graph, operation}, file.filename().string());
    }
}

BOOST_AUTO_TEST_SUITE_END()
