#include "call/keys.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace carpool::call {
namespace {

/// Nothing unless the whole text is a number.
template <typename Number>
std::optional<Number> number(const std::string& text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::string> environment(std::string key) {
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const char* value = std::getenv(key.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> info_value(MPI_Info info, const std::string& key) {
    if (info == MPI_INFO_NULL) return std::nullopt;
    std::string value(MPI_MAX_INFO_VAL + 1, '\0');
    int found = 0;
    mpi::check(MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value.data(), &found),
               "MPI_Info_get");
    if (found == 0) return std::nullopt;
    return std::string(value.c_str());
}

}  // namespace

Lookup in_environment() { return environment; }

Lookup in_info(MPI_Info info) {
    return [info](const std::string& key) { return info_value(info, key); };
}

void refuse(const std::string& key, const std::string& value, const std::string& expected) {
    throw mpi::Error(MPI_ERR_INFO_VALUE, key + " is '" + value + "', expected " + expected);
}

double seconds(const std::string& key, const std::string& text) {
    const auto value = number<double>(text);
    if (!value || !(*value >= 0) || !std::isfinite(*value))
        refuse(key, text, "seconds, at least 0");
    return *value;
}

std::int64_t positive(const std::string& key, const std::string& text, const std::string& what) {
    const auto value = number<std::int64_t>(text);
    if (!value || *value < 1) refuse(key, text, what + ", at least 1");
    return *value;
}

bool truth(const std::string& key, const std::string& text) {
    if (text != "true" && text != "false" && text != "1" && text != "0")
        refuse(key, text, "true or false");
    return text == "true" || text == "1";
}

}  // namespace carpool::call
