// SPDX-License-Identifier: MIT
#include "topology/graph_text.hpp"

#include "topology/words.hpp"

#include <algorithm>
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

/// [5] §4.1: rank i sends to i + 1 .. i + degree.
Graph many_to_many(int ranks, int degree) {
    Targets targets(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        for (int k = 1; k <= degree; ++k)
            targets[static_cast<std::size_t>(rank)].push_back(
                static_cast<int>((std::int64_t{rank} + k) % ranks));
    return graph_of_targets(targets);
}

/// On the mesh of [5] §2.2 every rank of the first row sends to every rank of the first column; the
/// row and the column meet in rank 0.
Graph row_to_column(int ranks) {
    int side = 1;
    while (std::int64_t{side} * side < ranks) ++side;
    Targets targets(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < std::min(side, ranks); ++rank)
        for (int target = 0; target < ranks; target += side)
            targets[static_cast<std::size_t>(rank)].push_back(target);
    return graph_of_targets(targets);
}

/// Each sender sends to all other ranks, beginning with the one after it.
Graph of_senders(int ranks, int senders) {
    Targets targets(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < std::min(senders, ranks); ++rank)
        for (int k = 1; k < ranks; ++k)
            targets[static_cast<std::size_t>(rank)].push_back((rank + k) % ranks);
    return graph_of_targets(targets);
}

Graph in_groups(int ranks, int size) {
    Targets targets(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks && size > 0; ++rank) {
        const int first = rank - rank % size;
        for (int other = first; other < ranks && other - first < size; ++other)
            if (other != rank) targets[static_cast<std::size_t>(rank)].push_back(other);
    }
    return graph_of_targets(targets);
}

double all_pairs(int ranks, double density) { return density * ranks * (ranks - 1.0); }
double two_each(int ranks, const GraphParameters&) { return 2.0 * ranks; }

template <typename T>
T value(const std::string& text, const std::string& name, const std::string& word, T most) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc() && end == word.data() + word.size() && value >= 0 && value <= most)
        return value;
    refuse(text, name + " '" + word + "', expected " +
                     (most == 1 ? "a number from 0 to 1" : "an integer of at most 64 bits"));
}

GraphParameters nothing(const std::string& text, const std::vector<std::string>& words) {
    if (words.size() > 2)
        refuse(text, "'" + words[2] + "' is too much, expected " + words[0] + " P");
    return {};
}

GraphParameters chance(const std::string& text, const std::vector<std::string>& words) {
    const bool seeded = words.size() == 6 && words[4] == "seed";
    if ((words.size() != 4 && !seeded) || words[2] != "density")
        refuse(text, "expected random P density D [seed S]");
    GraphParameters chance{value(text, "density", words[3], 1.0)};
    if (seeded) chance.seed = value(text, "seed", words[5], ~std::uint64_t{0});
    return chance;
}

/// @param form  the expected form of the text, such as "manytomany P degree D"
GraphParameters number_after(const std::string& text, const std::vector<std::string>& words,
                             const std::string& form) {
    const auto expected = words_of(form);
    if (words.size() != 4 || words[2] != expected[2]) refuse(text, "expected " + form);
    const int given = number(text, words[2], words[3]);
    if (given < 0 || given > most_ranks)
        refuse(text, words[2] + " is " + words[3] + ", expected from 0 to 2^20");
    return {0, given};
}

GraphParameters degree(const std::string& text, const std::vector<std::string>& words) {
    return number_after(text, words, "manytomany P degree D");
}
GraphParameters senders(const std::string& text, const std::vector<std::string>& words) {
    return number_after(text, words, "hot P senders S");
}
GraphParameters size(const std::string& text, const std::vector<std::string>& words) {
    return number_after(text, words, "groups P size S");
}

constexpr std::array families{
    GraphFamily{
        "random", "P density D [seed S]", "an edge from each rank to each other, by chance D",
        "random 64 density 0.2 seed 1", chance,
        [](int ranks, const GraphParameters& p) { return all_pairs(ranks, p.density); },
        [](int ranks, const GraphParameters& p) { return random_graph(ranks, p.density, p.seed); }},
    GraphFamily{"complete", "P", "every rank sends to every other", "complete 16", nothing,
                [](int ranks, const GraphParameters&) { return all_pairs(ranks, 1); },
                [](int ranks, const GraphParameters&) { return random_graph(ranks, 1, 1); }},
    GraphFamily{"ring", "P", "every rank sends to the one before it and the one after it", "ring 8",
                nothing, two_each, [](int ranks, const GraphParameters&) { return ring(ranks); }},
    GraphFamily{"star", "P", "rank 0 sends to all others, and they to it", "star 8", nothing,
                two_each, [](int ranks, const GraphParameters&) { return star(ranks); }},
    GraphFamily{"manytomany", "P degree D", "every rank sends to the D ranks that follow it",
                "manytomany 2048 degree 64", degree,
                [](int ranks, const GraphParameters& p) { return 1.0 * ranks * p.degree; },
                [](int ranks, const GraphParameters& p) { return many_to_many(ranks, p.degree); }},
    GraphFamily{"rowtocolumn", "P",
                "all of the first row of the mesh of ranks send to all of its "
                "first column",
                "rowtocolumn 64", nothing,
                [](int ranks, const GraphParameters&) { return 1.0 * ranks; },
                [](int ranks, const GraphParameters&) { return row_to_column(ranks); }},
    GraphFamily{"hot", "P senders S", "each of the first S ranks sends to all others",
                "hot 64 senders 4", senders,
                [](int ranks, const GraphParameters& p) { return 1.0 * ranks * p.degree; },
                [](int ranks, const GraphParameters& p) { return of_senders(ranks, p.degree); }},
    GraphFamily{"groups", "P size S", "every rank sends to the others of its group of S",
                "groups 64 size 8", size,
                [](int ranks, const GraphParameters& p) { return 1.0 * ranks * p.degree; },
                [](int ranks, const GraphParameters& p) { return in_groups(ranks, p.degree); }},
};

std::string family_names() {
    std::string names;
    for (const auto& family : families)
        names += (names.empty() ? "" : ", ") + std::string(family.name);
    return names;
}

Graph made(const std::string& text, const std::vector<std::string>& words,
           const GraphFamily& family) {
    const std::string form = std::string(family.name) + " " + std::string(family.arguments);
    if (words.size() < 2) refuse(text, "expected " + form);
    const int ranks = number(text, "P", words[1]);
    if (ranks < 1 || ranks > most_ranks)
        refuse(text, "P is " + std::to_string(ranks) + ", expected from 1 to 2^20");
    const auto parameters = family.read(text, words);
    if (family.edges(ranks, parameters) > most_edges) refuse(text, "has more than 2^24 edges");
    return family.make(ranks, parameters);
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
