// SPDX-License-Identifier: MIT
#include "fields.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

}  // namespace

std::string text(const json::object& o, const char* key) {
    return std::string(o.at(key).as_string());
}

double seconds(const json::object& o, const char* key) {
    const double value = o.at(key).to_number<double>();
    if (value >= 0 && std::isfinite(value)) return value;
    throw std::invalid_argument(std::string(key) + " is " + json::serialize(o.at(key)) +
                                ", expected seconds, at least 0");
}

std::int64_t integer(const std::string& what, const json::value& given, const char* unit,
                     std::int64_t least, std::int64_t most) {
    if (given.is_int64() && given.get_int64() >= least && given.get_int64() <= most)
        return given.get_int64();
    throw std::invalid_argument(what + " " + json::serialize(given) + unit + ", expected from " +
                                std::to_string(least) + " to " + std::to_string(most));
}

std::vector<std::int64_t> sizes(const json::object& o, std::size_t blocks) {
    std::vector<std::int64_t> sizes;
    for (const auto& size : o.at("block_bytes").as_array())
        sizes.push_back(integer("a block of", size, " bytes", 0, most_bytes));
    if (sizes.size() == 1) sizes.resize(blocks, sizes.front());
    if (sizes.size() != blocks)
        throw std::invalid_argument(std::to_string(sizes.size()) + " block sizes, expected 1" +
                                    (blocks == 1 ? "" : " or " + std::to_string(blocks)));
    return sizes;
}

bool are_empty(std::span<const std::int64_t> block_bytes) {
    return std::all_of(block_bytes.begin(), block_bytes.end(),
                       [](const auto bytes) { return bytes == 0; });
}

schedule::Operation operation_of(const json::object& o) {
    const auto name = text(o, "operation");
    if (const auto operation = schedule::find_operation(name)) return *operation;
    std::string known;
    for (const auto operation : schedule::operations())
        known += (known.empty() ? "" : ", ") + std::string(schedule::name_of(operation));
    throw std::invalid_argument("operation '" + name + "', expected one of " + known);
}

const routing::Rule* rule_named(const std::string& name) {
    if (const auto* rule = routing::find_rule(name)) return rule;
    throw std::invalid_argument("algorithm '" + name + "' is not known, see: carpool algorithms");
}

routing::NamedRule grid_rule_named(const std::string& name) {
    const auto named = routing::rule_from_text(name);
    if (!named)
        throw std::invalid_argument("algorithm '" + name +
                                    "' is not known, see: carpool algorithms; of basis, say "
                                    "basis:ROUNDS or basis:ROUNDS/PHASES");
    if (named->rule->plan == nullptr)
        throw std::invalid_argument("algorithm '" + name +
                                    "' is for graphs, expected one for grids, see: carpool "
                                    "algorithms");
    return *named;
}

int rank_of(const json::object& o, int ranks) {
    const auto& given = o.at("rank");
    return given.is_null() ? 0 : static_cast<int>(integer("rank", given, "", 0, ranks - 1));
}

routing::Digits digits_of(const json::object& o) {
    const auto given = text(o, "digits");
    if (const auto digits = routing::digits_from_text(given)) return *digits;
    throw std::invalid_argument("digits '" + given +
                                "', expected their number, such as 2, or factors, such as 8x8");
}

void check_digits(const routing::Digits& digits, int ranks) {
    if (!digits.suffice(ranks))
        throw std::invalid_argument("digits '" + routing::text_of(digits) +
                                    "', expected factors of a product of at least " +
                                    std::to_string(ranks));
}

choose::CostModel model_of(const json::object& o) {
    constexpr std::int64_t most_ports = 1 << 20;
    return {seconds(o, "alpha"), seconds(o, "beta"), seconds(o, "sigma"),
            integer("ports", o.at("ports"), "", 1, most_ports)};
}

choose::Costs costs_of(const json::object& o, choose::MessageUse work) {
    const auto* const within = o.if_contains("within");
    const bool has_nodes = within != nullptr && !within->is_null();
    double copy_per_byte = choose::usual_copy_per_end;
    double sum_per_byte = choose::Costs{}.sum_per_byte;
    if (const auto* const blocks = o.if_contains("blocks")) {
        const auto& of_blocks = blocks->as_object();
        copy_per_byte = seconds(of_blocks, "copy_per_byte");
        sum_per_byte = seconds(of_blocks, "sum_per_byte");
    }
    auto costs = choose::costs_of(work, model_of(has_nodes ? within->as_object() : o), model_of(o),
                                  copy_per_byte, sum_per_byte);
    const auto* const given = o.if_contains("machine");
    if (given == nullptr || given->is_null()) return costs;
    const auto& machine = given->as_object();
    costs.overlaps = true;
    costs.network.share_of_send = machine.at("share_of_send").to_number<double>();
    costs.adapter_per_byte = seconds(machine, "adapter_per_byte");
    costs.adapter_per_message = seconds(machine, "adapter_per_message");
    costs.copy_per_byte = seconds(machine, "copy_per_byte");
    costs.sum_per_byte = seconds(machine, "sum_per_byte");
    costs.in_flight = integer("in_flight", machine.at("in_flight"), " messages", 1, most_bytes);
    costs.congestion = seconds(machine, "congestion");
    return costs;
}

json::object line_through(const std::function<double(std::int64_t)>& seconds) {
    constexpr std::int64_t few = 1;
    constexpr std::int64_t many = 1 << 24;
    const double slope = (seconds(many) - seconds(few)) / static_cast<double>(many - few);
    return {{"start", seconds(few) - slope * few}, {"slope", slope}};
}

json::object to_json(const choose::CostModel& model) {
    return {{"alpha", model.alpha}, {"beta", model.beta}, {"sigma", model.sigma}};
}

}  // namespace cli
