// SPDX-License-Identifier: MIT
#include "topology/words.hpp"

#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace carpool::topology {
namespace {

/// Reads the whole word as an integer.
std::errc read(const std::string& word, int& value) {
    const auto* const behind = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), behind, value);
    return error == std::errc() && end != behind ? std::errc::invalid_argument : error;
}

}  // namespace

void refuse(const std::string& text, const std::string& why) {
    throw std::invalid_argument("'" + text + "': " + why);
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::vector<std::string> parts_of(const std::string& word, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : word) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

int number(const std::string& text, const std::string& place, const std::string& word) {
    int value = 0;
    const auto error = read(word, value);
    if (error == std::errc::result_out_of_range)
        refuse(text, place + " '" + word + "' is too large");
    if (error != std::errc()) refuse(text, place + " '" + word + "' is not an integer");
    return value;
}

std::optional<int> integer(const std::string& word) {
    int value = 0;
    return read(word, value) == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace carpool::topology
