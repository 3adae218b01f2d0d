// SPDX-License-Identifier: MIT
#include "shared_values.hpp"

#include "routing/edges_of_stops.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace cli {
namespace {

using namespace carpool;
using CombinedMessage = routing::Itinerary::CombinedMessage;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// Counts the values of messages, one message after the other.
class SharedValues::Counting {
public:
    explicit Counting(const SharedValues& shared)
        : shared_(shared), counted_in_(shared.values_of_class_.size(), 0) {}

    /// @param edges  at the stops of the rank whose message it is
    std::int64_t values_in(const CombinedMessage& combined, const std::vector<int>& edges) {
        if (combined.stops.size() == 1)
            return shared_.values_[index(edges[index(combined.stops[0])])];
        ++message_;
        std::int64_t values = 0;
        for (const int stop : combined.stops) values += new_values_along(edges[index(stop)]);
        return values;
    }

private:
    std::int64_t new_values_along(int edge) {
        std::int64_t values = 0;
        for (int i = shared_.first_[index(edge)]; i < shared_.first_[index(edge) + 1]; ++i) {
            const auto number = index(shared_.classes_[index(i)]);
            if (std::exchange(counted_in_[number], message_) != message_)
                values += shared_.values_of_class_[number];
        }
        return values;
    }

    const SharedValues& shared_;
    std::vector<std::int64_t> counted_in_;  // per class, the last message that has it
    std::int64_t message_ = 0;
};

SharedValues::SharedValues(const EdgeFile& file)
    : from_(file.from),
      to_(file.to),
      values_(file.values),
      values_of_class_(file.values_of_class),
      first_(file.from.size() + 1),
      classes_(file.taken_class.size()) {
    for (const int edge : file.taken_along) ++first_[index(edge) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    auto next = first_;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        classes_[index(next[index(file.taken_along[i])]++)] = file.taken_class[i];
}

std::vector<choose::MessageBytes> SharedValues::in_messages(const choose::GraphPlan& plan) const {
    const auto& routes = plan.routes;
    std::vector<choose::MessageBytes> values(routes.size());
    for (std::size_t rank = 0; rank < routes.size(); ++rank)
        values[rank].received.resize(routes[rank].receives().size());
    Counting counting(*this);
    for (std::size_t rank = 0; rank < routes.size(); ++rank)
        for (const auto& sent : routes[rank].sends()) {
            const auto count = counting.values_in(sent, plan.edges[rank]);
            const auto receives = routes[index(sent.peer)].receives();
            const auto& arrival = routing::arrival_of(sent, static_cast<int>(rank), receives);
            values[rank].sent.push_back(count);
            values[index(sent.peer)].received[index(static_cast<int>(&arrival - receives.data()))] =
                count;
        }
    return values;
}

SharedValues::Crossings SharedValues::crossings(const topology::Nodes& nodes) const {
    Crossings crossings;
    std::vector<std::vector<int>> nodes_of(values_of_class_.size());
    for (std::size_t edge = 0; edge < from_.size(); ++edge) {
        const int node = nodes.node(to_[edge]);
        if (node == nodes.node(from_[edge])) continue;
        crossings.by_ranks += values_[edge];
        for (int i = first_[edge]; i < first_[edge + 1]; ++i)
            nodes_of[index(classes_[index(i)])].push_back(node);
    }
    for (std::size_t number = 0; number < nodes_of.size(); ++number) {
        auto& taking = nodes_of[number];
        std::sort(taking.begin(), taking.end());
        const auto end = std::unique(taking.begin(), taking.end());
        crossings.by_nodes += values_of_class_[number] * (end - taking.begin());
    }
    return crossings;
}

}  // namespace cli
