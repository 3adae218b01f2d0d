// SPDX-License-Identifier: MIT
#include "arguments/keys.hpp"

#include "arguments/known_keys.hpp"
#include "base/digest.hpp"
#include "base/expects.hpp"
#include "mpi/error.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

namespace carpool::arguments {
namespace {

/// The number, or nothing unless the whole text is one.
template <typename Number>
std::optional<Number> number(const std::string& text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string upper_case(std::string key) {
    for (auto& c : key) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return key;
}

/// The variables CARPOOL_*. Most jobs have none of them, and many other variables, which each
/// getenv would search again.
class Environment {
public:
    Environment() {
        for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
            if (std::strncmp(*entry, "CARPOOL_", 8) == 0) entries_.emplace_back(*entry);
    }

    std::uint64_t digest() const {
        base::Digest digest;
        for (const auto entry : entries_) {
            for (const char letter : entry) digest.add(letter);
            digest.add(0);
        }
        return digest.bits();
    }

    std::optional<Setting> operator()(const std::string& key) const {
        for (const auto entry : entries_)
            if (entry.size() > key.size() && entry[key.size()] == '=' && is_named(entry, key))
                return Setting{key, std::string(entry.substr(key.size() + 1)), Source::environment};
        return std::nullopt;
    }

private:
    static bool is_named(std::string_view entry, const std::string& key) {
        return std::equal(key.begin(), key.end(), entry.begin(), [](unsigned char k, char e) {
            return static_cast<char>(std::toupper(k)) == e;
        });
    }

    std::vector<std::string_view> entries_;
};

std::optional<Setting> info_value(MPI_Info info, const std::string& key) {
    CARPOOL_EXPECTS(is_known(key));
    if (info == MPI_INFO_NULL) return std::nullopt;
    std::string value(MPI_MAX_INFO_VAL + 1, '\0');
    int found = 0;
    mpi::check(MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value.data(), &found),
               "MPI_Info_get");
    if (found == 0) return std::nullopt;
    return Setting{key, value.c_str(), Source::info};
}

}  // namespace

Lookup in_environment() {
    warn_of_unknown_variables();
    return Environment();
}

std::uint64_t digest_of_environment() { return Environment().digest(); }

Lookup in_info(MPI_Info info) {
    return [info](const std::string& key) { return info_value(info, key); };
}

void refuse(const Setting& setting, const std::string& expected) {
    const auto where = setting.source == Source::info
                           ? " in the info"
                           : " in the environment (" + upper_case(setting.key) + ')';
    throw mpi::Error(MPI_ERR_INFO_VALUE,
                     setting.key + where + " is '" + setting.text + "', expected " + expected);
}

double seconds(const Setting& setting) {
    const auto value = number<double>(setting.text);
    if (!value || !(*value >= 0) || !std::isfinite(*value)) refuse(setting, "seconds, at least 0");
    return *value;
}

std::int64_t positive(const Setting& setting, const std::string& what) {
    const auto value = number<std::int64_t>(setting.text);
    if (!value || *value < 1) refuse(setting, what + ", at least 1");
    return *value;
}

routing::Digits digits(const Setting& setting) {
    const auto value = routing::digits_from_text(setting.text);
    if (!value) refuse(setting, "a number of digits, such as 2, or their factors, such as 8x8");
    return *value;
}

void check_digits(const routing::Digits& digits, Source source, int ranks) {
    if (!digits.suffice(ranks))
        refuse({"carpool_digits", routing::text_of(digits), source},
               "factors of a product of at least " + std::to_string(ranks));
}

}  // namespace carpool::arguments
