// SPDX-License-Identifier: MIT
#include "arguments/claimed_settings.hpp"

#include <bit>
#include <sstream>
#include <utility>

namespace carpool::arguments {
namespace {

std::string text_of_cost(std::int64_t bits) {
    std::ostringstream text;
    text << std::bit_cast<double>(bits);
    return text.str();
}

/// The keys of all settings, each once.
std::string keys_of(const std::vector<ClaimedSetting>& settings) {
    std::string keys;
    for (const auto& setting : settings)
        if (keys.find(setting.key) == std::string::npos)
            keys += (keys.empty() ? "" : ", ") + std::string(setting.key);
    return keys;
}

mpi::Wording wording(const ClaimedSetting& setting, std::int64_t value) {
    return {std::string(setting.key) + " " + setting.where,
            setting.text_of != nullptr ? setting.text_of(value) : std::to_string(value)};
}

}  // namespace

ClaimedSetting claimed_cost(const char* key, const char* where, double seconds) {
    return {key, where, std::bit_cast<std::int64_t>(seconds), text_of_cost};
}

void add_digits(std::vector<ClaimedSetting>& settings, const char* where,
                const routing::Digits& digits) {
    for (const auto number : routing::numbers_of(digits))
        settings.push_back({"carpool_digits", where, number});
}

mpi::Claim claim_of(std::vector<ClaimedSetting> settings) {
    std::vector<std::int64_t> values;
    for (const auto& setting : settings) values.push_back(setting.value);
    auto keys = keys_of(settings);
    return {std::move(keys),
            std::move(values),
            {},
            [settings = std::move(settings)](std::size_t i, std::int64_t value) {
                return wording(settings[i], value);
            }};
}

}  // namespace carpool::arguments
