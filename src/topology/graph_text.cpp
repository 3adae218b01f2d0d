#include "topology/graph_text.hpp"

#include "topology/words.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

namespace carpool::topology {
namespace {

constexpr double most_edges = 1 << 24;
constexpr int most_ranks = 1 << 20;

using Targets = std::vector<std::vector<int>>;

Graph ring(int ranks) {
    Targets targets;
    for (int rank = 0; rank < ranks; ++rank)
        targets.push_back({(rank + ranks - 1) % ranks, (rank + 1) % ranks});
    return graph_of_targets(targets);
}

Graph star(int ranks) {
    Targets targets(static_cast<std::size_t>(ranks), {0});
    targets.front().clear();
    for (int rank = 1; rank < ranks; ++rank) targets.front().push_back(rank);
    return graph_of_targets(targets);
}

double all_pairs(int ranks, double density) { return density * ranks * (ranks - 1.0); }
double two_each(int ranks, double) { return 2.0 * ranks; }

constexpr std::array families{
    GraphFamily{"random", "P density D [seed S]",
                "an edge from each rank to each other, by chance D", "random 64 density 0.2 seed 1",
                all_pairs, random_graph},
    GraphFamily{"complete", "P", "every rank sends to every other", "complete 16",
                [](int ranks, double) { return all_pairs(ranks, 1); },
                [](int ranks, double, std::uint64_t) { return random_graph(ranks, 1, 1); }},
    GraphFamily{"ring", "P", "every rank sends to the one before it and the one after it", "ring 8",
                two_each, [](int ranks, double, std::uint64_t) { return ring(ranks); }},
    GraphFamily{"star", "P", "rank 0 sends to all others, and they to it", "star 8", two_each,
                [](int ranks, double, std::uint64_t) { return star(ranks); }},
};

std::string family_names() {
    std::string names;
    for (const auto& family : families)
        names += (names.empty() ? "" : ", ") + std::string(family.name);
    return names;
}

template <typename T>
T value(const std::string& text, const std::string& name, const std::string& word, T most) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size() && value >= 0 && value <= most)
        return value;
    refuse(text, name + " '" + word + "', expected " +
                     (most == 1 ? "a number from 0 to 1" : "an integer of at most 64 bits"));
}

struct Chance {
    double density = 0;
    std::uint64_t seed = 1;
};

/// What follows the ranks of a random graph.
Chance chance_of(const std::string& text, const std::vector<std::string>& words) {
    const bool seeded = words.size() == 6 && words[4] == "seed";
    if ((words.size() != 4 && !seeded) || words[2] != "density")
        refuse(text, "expected random P density D [seed S]");
    Chance chance{value(text, "density", words[3], 1.0)};
    if (seeded) chance.seed = value(text, "seed", words[5], ~std::uint64_t{0});
    return chance;
}

Graph made(const std::string& text, const std::vector<std::string>& words,
           const GraphFamily& family) {
    const std::string form = std::string(family.name) + " " + std::string(family.arguments);
    if (words.size() < 2) refuse(text, "expected " + form);
    const int ranks = number(text, "P", words[1]);
    if (ranks < 1 || ranks > most_ranks)
        refuse(text, "P is " + std::to_string(ranks) + ", expected from 1 to 2^20");
    const bool random = family.make == random_graph;
    if (!random && words.size() > 2)
        refuse(text, "'" + words[2] + "' is too much, expected " + form);
    const auto chance = random ? chance_of(text, words) : Chance{};
    if (family.edges(ranks, chance.density) > most_edges) refuse(text, "has more than 2^24 edges");
    return family.make(ranks, chance.density, chance.seed);
}

}  // namespace

std::span<const GraphFamily> graph_families() { return families; }

Graph graph_from_text(const std::string& text) {
    const auto words = words_of(text);
    for (const auto& family : families)
        if (!words.empty() && words[0] == family.name) return made(text, words, family);
    refuse(text, "expected a graph (" + family_names() +
                     "), a file with one, or torus, mesh or grid, and a stencil");
}

Graph graph_of_edges(int ranks, std::span<const int> from, std::span<const int> to) {
    Targets targets(static_cast<std::size_t>(ranks));
    for (std::size_t i = 0; i < from.size(); ++i) {
        for (const int end : {from[i], to[i]})
            if (end < 0 || end >= ranks)
                throw std::invalid_argument("edge " + std::to_string(from[i]) + " to " +
                                            std::to_string(to[i]) + ", expected ranks from 0 to " +
                                            std::to_string(ranks - 1));
        targets[static_cast<std::size_t>(from[i])].push_back(to[i]);
    }
    return graph_of_targets(targets);
}

}  // namespace carpool::topology
