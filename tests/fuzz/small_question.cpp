// SPDX-License-Identifier: MIT
#include "small_question.hpp"

#include "topology/text.hpp"
#include "topology/words.hpp"

#include <optional>
#include <stdexcept>
#include <string>

namespace fuzz {
namespace {

namespace json = boost::json;
using namespace carpool;

constexpr int most_ranks = 24;
constexpr int most_offsets = 24;
constexpr int most_dimensions = 3;
constexpr int most_hops = 64;

std::string text_of(const json::value* value) {
    const auto* const text = value != nullptr ? value->if_string() : nullptr;
    return text != nullptr ? std::string(*text) : "";
}

/// May the numbers in a text be between those of small questions and those that are refused?
bool has_large_number(const std::string& text) {
    for (const auto& word : topology::words_of(text))
        if (const auto integer = topology::integer(word))
            if (*integer > most_ranks || *integer < -most_ranks) return true;
    return false;
}

bool has_large_grid(const std::string& text) {
    try {
        const auto grid = topology::grid_from_text(text);
        return grid.size() > most_ranks || grid.dimensions() > most_dimensions;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool has_large_stencil(const std::string& text) {
    if (has_large_number(text)) return true;
    const auto words = topology::words_of(text);
    if (words.size() > 1)
        if (const auto dimensions = topology::integer(words[1]))
            if (*dimensions > most_dimensions) return true;
    try {
        const auto stencil = topology::stencil_from_text(text);
        std::int64_t hops = 0;
        for (const int c : stencil.flat()) hops += c < 0 ? -std::int64_t{c} : c;
        return stencil.size() > most_offsets || hops > most_hops;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool has_large_topology(const json::object& o) {
    return has_large_grid(text_of(o.if_contains("grid"))) ||
           has_large_stencil(text_of(o.if_contains("stencil"))) ||
           has_large_number(text_of(o.if_contains("graph"))) ||
           has_large_number(text_of(o.if_contains("collective")));
}

}  // namespace

bool is_small(const json::object& question) {
    const auto command = text_of(question.if_contains("command"));
    if (command == "trace" || command == "schedules") return false;  // these write a file
    const auto* const graph = question.if_contains("graph");
    const auto* const about = graph != nullptr ? graph->if_object() : nullptr;
    if (about != nullptr && (about->contains("file") || has_large_topology(*about))) return false;
    return !has_large_topology(question);
}

}  // namespace fuzz
