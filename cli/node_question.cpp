// SPDX-License-Identifier: MIT
#include "node_question.hpp"

#include "fields.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;
using choose::Level;

constexpr std::int64_t most_per_node = 1 << 30;

bool is_asked(const json::object& o) {
    const auto* const given = o.if_contains("per_node");
    return given != nullptr && !given->is_null();
}

std::vector<std::int64_t> sizes_of(const json::object& o, int ranks) {
    std::vector<std::int64_t> sizes;
    for (const auto& size : o.at("per_node").as_array())
        sizes.push_back(integer("a node of", size, " ranks", 1, most_per_node));
    if (sizes.size() == 1) {
        const auto size = std::min<std::int64_t>(ranks, sizes.front());
        sizes.assign(static_cast<std::size_t>(ranks / size), size);
        if (ranks % size != 0) sizes.push_back(ranks % size);
    }
    const auto sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    if (sum != ranks)
        throw std::invalid_argument("nodes of " + std::to_string(sum) + " ranks in all, expected " +
                                    std::to_string(ranks));
    return sizes;
}

/// The ranks must have room on the platform, if one was asked for.
void check_room(const json::object& o, int ranks) {
    const auto* const platform = o.if_contains("platform");
    if (platform == nullptr || platform->is_null()) return;
    const auto& about = platform->as_object();
    const auto room = about.at("room").to_number<std::int64_t>();
    if (ranks > room)
        throw std::invalid_argument("--platform " + text(about, "name") + " has room for " +
                                    std::to_string(room) + " ranks, expected at least " +
                                    std::to_string(ranks));
}

std::vector<std::uint64_t> names_of(const json::object& o, int ranks) {
    std::vector<std::uint64_t> names;
    for (const auto size : sizes_of(o, ranks))
        names.insert(names.end(), static_cast<std::size_t>(size), names.size());
    return names;
}

/// The nodes at the positions that the ranks take.
topology::Nodes nodes_at(const topology::Nodes& nodes, const topology::Mapping& mapping) {
    std::vector<std::uint64_t> names(mapping.positions.size());
    for (int rank = 0; rank < nodes.ranks(); ++rank)
        names[static_cast<std::size_t>(mapping.positions[static_cast<std::size_t>(rank)])] =
            static_cast<std::uint64_t>(nodes.node(rank));
    return topology::Nodes(names);
}

/// Whether the answer tells what reordering would change, which takes long to find for many ranks.
bool compares_orders(const json::object& o) {
    const auto* const asked = o.if_contains("compare_orders");
    if (asked != nullptr && !asked->as_bool()) return false;
    const auto command = text(o, "command");
    return command == "explain" || command == "plan";
}

choose::Machine machine_on(const json::object& o, topology::Nodes nodes) {
    return {costs_of(o, choose::MessageUse::neighborhoods),
            std::make_shared<const topology::Nodes>(std::move(nodes))};
}

/// What the estimate counts of one rank.
json::object charged(const choose::Load& load, Level level) {
    return {{"messages", load.at(level).messages}, {"bytes", load.at(level).bytes}};
}

}  // namespace

std::shared_ptr<const topology::Nodes> nodes_in(const json::object& o, int ranks) {
    if (!is_asked(o)) return nullptr;
    check_room(o, ranks);
    return std::make_shared<const topology::Nodes>(names_of(o, ranks));
}

NodeQuestion::NodeQuestion(const json::object& o, int ranks, const Map& map)
    : given_(costs_of(o, choose::MessageUse::neighborhoods), nullptr), mapped_(given_) {
    const auto found = nodes_in(o, ranks);
    if (!found) return;
    const auto& nodes = *found;
    asked_ = true;
    count_ = nodes.count();
    reorders_ = o.at("reorder").as_bool();
    given_ = machine_on(o, nodes);
    compares_ = compares_orders(o);
    if (!reorders_ && !compares_) return;
    mapping_ = map(nodes);
    mapped_ = machine_on(o, nodes_at(nodes, *mapping_));
}

json::object NodeQuestion::about(std::int64_t block_bytes) const {
    const auto& within = machine().cost(Level::node);
    json::object about{{"count", count_},
                       {"reordered", reorders_},
                       {"alpha", within.alpha},
                       {"beta", within.beta},
                       {"sigma", within.sigma}};
    if (mapping_) {
        about["bytes_along_edges"] = mapping_->unmapped * block_bytes;
        about["bytes_along_edges_reordered"] = mapping_->between * block_bytes;
    }
    return about;
}

void NodeCounts::add(int rank, const schedule::Schedule& schedule) {
    add(choose::sent_by(schedule, rank, machine_.nodes().get()),
        choose::received_by(schedule, rank, machine_.nodes().get()));
}

void NodeCounts::add(const choose::Load& of_rank) { add(of_rank.sent, of_rank.received); }

void NodeCounts::add(const choose::TrafficByLevel& sent, const choose::TrafficByLevel& received) {
    for (std::size_t level = 0; level < sent.size(); ++level) {
        busiest_[level] = most(busiest_[level], most(sent[level], received[level]));
        sum_[level] += sent[level];
    }
}

json::object NodeCounts::to_json(const choose::Load& load) const {
    return {{"within", sent(Level::node)},
            {"between", sent(Level::network)},
            {"charged", json::object{{"within", charged(load, Level::node)},
                                     {"between", charged(load, Level::network)}}},
            {"phases_between", load.phases_between_nodes()},
            {"estimate", choose::estimate(machine_, load)}};
}

json::object NodeCounts::sent(Level level) const {
    const auto& busiest = busiest_[static_cast<std::size_t>(level)];
    const auto& all = sum_[static_cast<std::size_t>(level)];
    return {{"messages", busiest.messages},
            {"bytes", busiest.bytes},
            {"all_messages", all.messages},
            {"all_bytes", all.bytes}};
}

}  // namespace cli
