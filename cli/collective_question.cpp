// SPDX-License-Identifier: MIT
#include "collective_question.hpp"

#include "fields.hpp"
#include "node_question.hpp"
#include "topology/words.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;
using namespace carpool::collectives;

/// What a laptop plans in seconds, and has memory for; the largest alltoall takes two minutes.
int most_ranks(Kind kind) { return is_square(kind) ? 1 << 14 : 1 << 17; }

std::string listed(const auto& named) {
    std::string names;
    for (const auto& one : named) names += (names.empty() ? "" : ", ") + std::string(one);
    return names;
}

Kind kind_of(const std::string& place, const std::string& word) {
    if (const auto kind = find_kind(word)) return *kind;
    std::vector<std::string_view> names;
    for (const auto kind : kinds()) names.push_back(name_of(kind));
    topology::refuse(place, "'" + word + "', expected one of " + listed(names));
}

int ranks_of(const std::string& place, const std::string& word, Kind kind) {
    const int ranks = topology::number(place, "RANKS", word);
    const int most = most_ranks(kind);
    if (ranks >= 1 && ranks <= most) return ranks;
    topology::refuse(place, word + " ranks, expected from 1 to " + std::to_string(most));
}

/// "KIND RANKS [root R]"
Problem place_of(const std::string& place) {
    const auto words = topology::words_of(place);
    const auto kind = kind_of(place, words.empty() ? "" : words.front());
    const std::string form =
        std::string(name_of(kind)) + " RANKS" + (has_root(kind) ? " [root R]" : "");
    const bool rooted = words.size() == 4 && words[2] == "root" && has_root(kind);
    if (words.size() != 2 && !rooted) topology::refuse(place, "expected " + form);
    Problem problem{kind, ranks_of(place, words[1], kind), 0, {}};
    if (rooted) problem.root = topology::number(place, "R", words[3]);
    if (problem.root < 0 || problem.root >= problem.ranks)
        topology::refuse(place, "root " + words[3] + ", expected from 0 to " +
                                    std::to_string(problem.ranks - 1));
    return problem;
}

std::size_t blocks_of(const Problem& problem) {
    switch (problem.kind) {
        case Kind::gather:
        case Kind::scatter:
        case Kind::allgather:
        case Kind::reduce_scatter:
            return static_cast<std::size_t>(problem.ranks);
        default:
            return 1;
    }
}

std::vector<std::int64_t> bytes_of(const json::object& o, const Problem& problem) {
    if (problem.kind == Kind::barrier) return {};
    auto bytes = sizes(o, blocks_of(problem));
    if (std::equal(bytes.begin() + 1, bytes.end(), bytes.begin())) bytes.resize(1);
    return bytes;
}

Problem problem_of(const json::object& o) {
    auto problem = place_of(text(o, "collective"));
    problem.bytes = bytes_of(o, problem);
    problem.commutes = o.at("commutes").as_bool();
    if (!problem.commutes && !reduces(problem.kind))
        throw std::invalid_argument(
            "an operator that does not commute is for reductions, not for " +
            std::string(name_of(problem.kind)));
    if (!o.at("segment").is_null())
        problem.segment = integer("a segment of", o.at("segment"), " bytes", 1, most_bytes);
    problem.digits = digits_of(o);
    problem.nodes = nodes_in(o, problem.ranks);
    return problem;
}

double ranks_per_core_of(const json::object& o, int ranks) {
    const double shared = o.at("ranks_per_core").to_number<double>();
    if (shared >= 1 && shared <= ranks) return shared;
    std::ostringstream why;
    why << shared << " ranks per core, expected from 1 to " << ranks;
    throw std::invalid_argument(why.str());
}

choose::Machine machine_of(const json::object& o, const Problem& problem) {
    const double shared = ranks_per_core_of(o, problem.ranks);
    return {costs_of(o, choose::MessageUse::collectives), problem.nodes, shared};
}

/// The name of an algorithm that applies, or "auto"; throws for any other.
std::string algorithm_of(const json::object& o, const Problem& problem) {
    auto name = text(o, "algorithm");
    if (name == "auto") return name;
    const std::string kind(name_of(problem.kind));
    const auto* found = find_algorithm(problem.kind, name);
    if (found == nullptr) {
        std::vector<std::string_view> names;
        for (const auto& one : collectives::algorithms(problem.kind)) names.push_back(one.name);
        throw std::invalid_argument("algorithm '" + name + "', expected for " + kind +
                                    " auto or one of " + listed(names));
    }
    if (!found->applies(problem))
        throw std::invalid_argument("algorithm '" + name + "' needs " + needs(*found, problem));
    return name;
}

int asked_rank(const json::object& o, const Problem& problem) {
    return o.at("rank").is_null() ? problem.root : rank_of(o, problem.ranks);
}

}  // namespace

bool is_square(Kind kind) {
    return kind == Kind::allgather || kind == Kind::alltoall || kind == Kind::reduce_scatter;
}

std::string needs(const Algorithm& algorithm, const Problem& problem) {
    auto changed = problem;
    changed.commutes = true;
    if (algorithm.applies(changed)) return "an operator that commutes";
    changed.digits = {};
    if (algorithm.applies(changed))
        return "digits of factors whose product is at least " + std::to_string(problem.ranks);
    ++changed.ranks;
    changed.nodes = nullptr;
    return algorithm.applies(changed)
               ? "another number of ranks, such as " + std::to_string(changed.ranks)
               : "another problem";
}

CollectiveQuestion::CollectiveQuestion(const json::object& o)
    : problem(problem_of(o)),
      machine(machine_of(o, problem)),
      algorithm(algorithm_of(o, problem)),
      rank(asked_rank(o, problem)) {}

std::vector<const Algorithm*> CollectiveQuestion::applicable() const {
    std::vector<const Algorithm*> all;
    for (const auto& one : collectives::algorithms(problem.kind))
        if (is_told_of(one, problem) && one.applies(problem)) all.push_back(&one);
    return all;
}

std::vector<const Algorithm*> CollectiveQuestion::algorithms() const {
    if (algorithm == "auto") return applicable();
    return {find_algorithm(problem.kind, algorithm)};
}

}  // namespace cli
