#include "topology/words.hpp"

#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace carpool::topology {

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
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range)
        refuse(text, place + " '" + word + "' is too large");
    if (error != std::errc() || end != word.data() + word.size())
        refuse(text, place + " '" + word + "' is not an integer");
    return value;
}

}  // namespace carpool::topology
