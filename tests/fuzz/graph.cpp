// SPDX-License-Identifier: MIT
// Texts of graphs. Those with many edges are left out: they are no mistakes, but take long.

#include "base/expects.hpp"
#include "fuzz.hpp"
#include "refused.hpp"
#include "topology/graph_text.hpp"
#include "topology/words.hpp"

using namespace carpool;

namespace {

bool is_large(const std::string& text, const std::vector<std::string>& words,
              const topology::GraphFamily& family) {
    constexpr int most_ranks = 1 << 12;
    constexpr double most_edges = 1 << 15;
    const auto ranks = topology::integer(words[1]);
    if (!ranks || *ranks < 1) return false;
    const double edges = family.edges(*ranks, family.read(text, words));
    return *ranks <= 1 << 20 && edges <= 1 << 24 && (*ranks > most_ranks || edges > most_edges);
}

bool takes_long(const std::string& text) {
    const auto words = topology::words_of(text);
    if (words.size() < 2) return false;
    for (const auto& family : topology::graph_families())
        if (words[0] == family.name) return is_large(text, words, family);
    return false;
}

/// Every edge has two ends among the ranks.
void check(const topology::Graph& graph) {
    std::size_t out = 0;
    std::size_t in = 0;
    for (const auto& rank : graph) {
        out += rank.out.size();
        in += rank.in.size();
        for (const auto* edges : {&rank.out, &rank.in})
            for (const auto& edge : *edges)
                CARPOOL_EXPECTS(0 <= edge.peer && edge.peer < std::ssize(graph), edge.peer);
    }
    CARPOOL_EXPECTS(out == in, out, in);
}

}  // namespace

void fuzz::read(const std::string& input) {
    refuse_or([&] {
        if (!takes_long(input)) check(topology::graph_from_text(input));
    });
}
