#include "neighbor/settings.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::neighbor {
namespace {

// Seconds per message, per byte and per phase inside one node, fitted to bench/'s figures for the
// two MPI wheels (docs/measurements.md). Clusters differ; carpool_alpha, _beta and _sigma say how.
constexpr choose::CostModel cheap_messages{2.3e-6, 2.5e-9, 30e-6};
constexpr choose::CostModel dear_messages{12.5e-6, 3e-9, 10e-6};

bool is_open_mpi() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    mpi::check(MPI_Get_library_version(version, &length), "MPI_Get_library_version");
    const std::string_view name(version, static_cast<std::size_t>(length));
    return name.find("Open MPI") != name.npos;
}

/// A message costs an MPICH rank five times what it costs an Open MPI rank, so it gains more from
/// combining.
choose::CostModel default_model() { return is_open_mpi() ? cheap_messages : dear_messages; }

engine::Packing default_packing() {
    return is_open_mpi() ? engine::Packing::by_message : engine::Packing::by_piece;
}

/// Value of a key such as "carpool_alpha", if it is set.
using Lookup = std::function<std::optional<std::string>(const std::string& key)>;

[[noreturn]] void refuse(const std::string& key, const std::string& value,
                         const std::string& expected) {
    throw mpi::Error(MPI_ERR_INFO_VALUE, key + " is '" + value + "', expected " + expected);
}

std::string rule_names() {
    std::string names;
    for (const auto* rule : routing::rules()) names += std::string(rule->name) + ", ";
    return names + "or auto";
}

const routing::Rule* rule_named(const std::string& key, const std::string& name) {
    if (name == "auto") return nullptr;
    const auto* rule = routing::find_rule(name);
    if (rule == nullptr) refuse(key, name, rule_names());
    return rule;
}

double seconds(const std::string& key, const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0))
        refuse(key, text, "seconds, at least 0");
    return value;
}

engine::Packing packing_named(const std::string& key, const std::string& name) {
    if (name == "pack") return engine::Packing::pack;
    if (name == "types") return engine::Packing::types;
    if (name != "auto") refuse(key, name, "pack, types or auto");
    return default_packing();
}

Posting posting_named(const std::string& key, const std::string& name) {
    if (name == "persistent") return Posting::persistent;
    if (name == "immediate") return Posting::immediate;
    if (name != "auto") refuse(key, name, "persistent, immediate or auto");
    return Posting::automatic;
}

int threshold(const std::string& key, const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1)
        refuse(key, text, "a number of common neighbors, at least 1");
    return value;
}

bool truth(const std::string& key, const std::string& text) {
    if (text != "true" && text != "false" && text != "1" && text != "0")
        refuse(key, text, "true or false");
    return text == "true" || text == "1";
}

Settings overlaid(Settings settings, const Lookup& lookup) {
    if (const auto v = lookup("carpool_algorithm"))
        settings.rule = rule_named("carpool_algorithm", *v);
    if (const auto v = lookup("carpool_alpha")) settings.model.alpha = seconds("carpool_alpha", *v);
    if (const auto v = lookup("carpool_beta")) settings.model.beta = seconds("carpool_beta", *v);
    if (const auto v = lookup("carpool_sigma")) settings.model.sigma = seconds("carpool_sigma", *v);
    if (const auto v = lookup("carpool_transfer"))
        settings.packing = packing_named("carpool_transfer", *v);
    if (const auto v = lookup("carpool_requests"))
        settings.posting = posting_named("carpool_requests", *v);
    if (const auto v = lookup("carpool_assert_matching"))
        settings.assert_matching = truth("carpool_assert_matching", *v);
    if (const auto v = lookup("carpool_theta")) settings.theta = threshold("carpool_theta", *v);
    return settings;
}

std::optional<std::string> environment(std::string key) {
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const char* value = std::getenv(key.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> info_value(MPI_Info info, const std::string& key) {
    std::string value(MPI_MAX_INFO_VAL + 1, '\0');
    int found = 0;
    mpi::check(MPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value.data(), &found),
               "MPI_Info_get");
    if (found == 0) return std::nullopt;
    return std::string(value.c_str());
}

}  // namespace

Settings Settings::from_environment() {
    Settings settings;
    settings.model = default_model();
    settings.packing = default_packing();
    return overlaid(settings, environment);
}

Settings Settings::with(MPI_Info info) const {
    if (info == MPI_INFO_NULL) return *this;
    return overlaid(*this, [info](const std::string& key) { return info_value(info, key); });
}

mpi::Claim Settings::claim() const {
    std::int64_t number = -1;
    const auto rules = routing::rules();
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (rules[i] == rule) number = static_cast<std::int64_t>(i);
    return {
        "carpool_algorithm, carpool_alpha, carpool_beta, carpool_sigma, carpool_assert_matching, "
        "carpool_theta",
        {number, std::bit_cast<std::int64_t>(model.alpha), std::bit_cast<std::int64_t>(model.beta),
         std::bit_cast<std::int64_t>(model.sigma), assert_matching ? 1 : 0, theta}};
}

}  // namespace carpool::neighbor
