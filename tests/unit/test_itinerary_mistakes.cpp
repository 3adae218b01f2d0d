// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "../graphs/graph_cases.hpp"
#include "graph_exchange.hpp"
#include "random_nodes.hpp"
#include "schedule/place_itinerary.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_itinerary_mistakes)

using namespace carpool;
using routing::Itinerary;

namespace {

/// The parts of a rank's itinerary that a test may spoil.
struct Parts {
    std::vector<Itinerary::CombinedMessage> sends;
    std::vector<routing::Plan::Delivery> deliveries;

    Itinerary::CombinedMessage& shared_message() {
        return *std::find_if(sends.begin(), sends.end(),
                             [](const auto& combined) { return combined.stops.size() > 1; });
    }
};

/// An itinerary with the same receives, and other sends and deliveries.
Itinerary rebuilt(const Itinerary& from, const Parts& parts) {
    std::vector<int> peers(static_cast<std::size_t>(from.stops()));
    for (const auto& combined : from.receives())
        for (const int stop : combined.stops) peers[static_cast<std::size_t>(stop)] = combined.peer;
    Itinerary itinerary(from.blocks());
    for (int stop = from.blocks(); stop < from.stops(); ++stop)
        itinerary.receive(from.arrival(stop), peers[static_cast<std::size_t>(stop)]);
    for (const auto& combined : parts.sends)
        for (const int stop : combined.stops) itinerary.send(combined.phase, combined.peer, stop);
    for (const auto& [stop, position] : parts.deliveries) itinerary.deliver(stop, position);
    itinerary.sort();
    return itinerary;
}

/// Checks all rules that combine messages, on a graph where they do. Rank 1 makes the mistake.
void must_complain(const std::function<void(Parts&)>& mistake, bool wrong = true) {
    const auto graph = carpool::topology::graph_of_targets(
        named_graph("complete", 8, [](int rank) { return all_but(rank, 8); }).targets);
    const GraphExchange exchange{graph, schedule::Operation::alltoall, {}, 8, nodes_in_a_row(8, 4)};
    for (const auto* rule : routing::graph_rules()) {
        if (rule == &routing::direct) continue;
        auto schedules = exchange.schedules(*rule);
        const auto itinerary = exchange.planner().planned(*rule).routes[1];
        Parts parts{{itinerary.sends().begin(), itinerary.sends().end()},
                    {itinerary.deliveries().begin(), itinerary.deliveries().end()}};
        mistake(parts);
        schedules[1] = schedule::place(rebuilt(itinerary, parts), exchange.operation, graph[1],
                                       itinerary.phases(), std::span(&exchange.bytes, 1));
        const auto complaints = schedule::verify(schedules, exchange.expected());
        BOOST_TEST(complaints.empty() != wrong, rule->name);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_itinerary_rebuilt_without_a_mistake_draws_no_complaint) {
    must_complain([](Parts&) {}, false);
}

BOOST_AUTO_TEST_CASE(two_stops_swapped_in_a_message_draw_a_complaint) {
    must_complain([](Parts& parts) {
        auto& stops = parts.shared_message().stops;
        std::swap(stops.front(), stops.back());
    });
}

BOOST_AUTO_TEST_CASE(a_stop_left_behind_draws_a_complaint) {
    must_complain([](Parts& parts) { parts.shared_message().stops.pop_back(); });
}

BOOST_AUTO_TEST_CASE(a_message_left_out_draws_a_complaint) {
    must_complain([](Parts& parts) { parts.sends.pop_back(); });
}

BOOST_AUTO_TEST_CASE(a_message_to_another_rank_draws_a_complaint) {
    must_complain([](Parts& parts) { parts.sends.back().peer ^= 2; });
}

BOOST_AUTO_TEST_CASE(a_delivery_left_out_draws_a_complaint) {
    must_complain([](Parts& parts) { parts.deliveries.pop_back(); });
}

BOOST_AUTO_TEST_CASE(deliveries_to_each_others_positions_draw_a_complaint) {
    must_complain([](Parts& parts) {
        std::swap(parts.deliveries.front().position, parts.deliveries.back().position);
    });
}

BOOST_AUTO_TEST_SUITE_END()
