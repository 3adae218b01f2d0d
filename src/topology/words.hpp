#pragma once

#include <optional>
#include <string>
#include <vector>

namespace carpool::topology {

/// Throws std::invalid_argument: what is wrong with the text.
[[noreturn]] void refuse(const std::string& text, const std::string& why);

std::vector<std::string> words_of(const std::string& text);

/// What stands between separators, empty parts included.
std::vector<std::string> parts_of(const std::string& word, char separator);

/// The word as an integer, or a refusal.
/// @param place  where in the text the word stands, for the error
int number(const std::string& text, const std::string& place, const std::string& word);

/// The word as an integer; none if it is something else, or too large.
std::optional<int> integer(const std::string& word);

}  // namespace carpool::topology
