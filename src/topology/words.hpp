// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace carpool::topology {

/// Throws std::invalid_argument with the text and what is wrong with it.
[[noreturn]] void refuse(const std::string& text, const std::string& why);

std::vector<std::string> words_of(const std::string& text);

/// The parts between separators, empty ones included.
std::vector<std::string> parts_of(const std::string& word, char separator);

/// The word as an integer. Throws as refuse() does if it is not one.
/// @param place  where in the text the word stands, for the error
int number(const std::string& text, const std::string& place, const std::string& word);

/// The word as an integer; nothing if it is not one, or too large.
std::optional<int> integer(const std::string& word);

}  // namespace carpool::topology
