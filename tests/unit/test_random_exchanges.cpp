// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_random_exchanges)

using namespace carpool;
using schedule::Message;
using schedule::Schedule;
using topology::Neighborhood;

namespace {

std::string repeated_by(std::uint64_t seed) {
    return "CARPOOL_SEED=" + std::to_string(seed) + " CARPOOL_RANDOM_CASES=1";
}

/// All messages with parts on all ranks.
std::vector<Message*> messages_of(std::vector<Schedule>& schedules) {
    std::vector<Message*> messages;
    for (auto& schedule : schedules)
        for (auto& round : schedule.rounds)
            for (auto* message : {&round.send, &round.receive})
                if (!message->parts.empty()) messages.push_back(message);
    return messages;
}

Message& any_message(RandomSource& random, std::vector<Schedule>& schedules) {
    const auto messages = messages_of(schedules);
    return *messages[static_cast<std::size_t>(
        random.between(0, static_cast<int>(messages.size()) - 1))];
}

schedule::Part& any_part(RandomSource& random, Message& message) {
    return message.parts[static_cast<std::size_t>(
        random.between(0, static_cast<int>(message.parts.size()) - 1))];
}

/// Breaks one message in one of five ways; returns false if that is not possible.
bool break_one(RandomSource& random, std::vector<Schedule>& schedules) {
    auto& message = any_message(random, schedules);
    const auto ranks = static_cast<int>(schedules.size());
    switch (random.between(0, 4)) {
        case 0:
            message.parts.clear();
            return true;
        case 1:
            message.parts.pop_back();
            return true;
        case 2:
            any_part(random, message).bytes += random.one_in(2) ? 1 : -1;
            return true;
        case 3:
            message.peer = (message.peer + 1) % ranks;
            return ranks > 1;
        default:
            std::swap(message.parts.front(), message.parts.back());
            return message.parts.size() > 1;
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_is_correct_on_random_exchanges) {
    const auto seed = first_seed();
    const auto cases = random_cases(10'000);
    std::cout << "random exchanges: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    std::size_t failures = 0;
    for (std::uint64_t i = 0; i < cases && failures < 5; ++i) {
        RandomSource random(seed + i);
        const auto exchange = random_exchange(random);
        for (const auto* rule : routing::grid_rules()) {
            const auto complaints = exchange.complaints(*rule);
            if (complaints.empty()) continue;
            ++failures;
            BOOST_ERROR(repeated_by(seed + i) << ": " << rule->name << ", " << described(exchange)
                                              << ": " << joined(complaints));
        }
    }
}

// All blocks of an alltoall are different, so any broken message must be found.
BOOST_AUTO_TEST_CASE(every_random_exchange_with_one_broken_message_is_found) {
    const auto seed = first_seed();
    const auto cases = std::max<std::uint64_t>(random_cases(10'000) / 10, 1);
    std::cout << "broken exchanges: CARPOOL_SEED=" << seed << std::endl;
    std::uint64_t broken = 0;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        auto exchange = random_exchange(random);
        exchange.pattern = routing::Pattern::alltoall;
        exchange.block_bytes = equal_blocks(exchange.neighborhood, exchange.pattern, 8);
        const auto rule = routing::grid_rules()[static_cast<std::size_t>(
            random.between(0, static_cast<int>(routing::grid_rules().size()) - 1))];
        auto schedules = exchange.schedules(*rule);
        if (messages_of(schedules).empty() || !break_one(random, schedules)) continue;
        ++broken;
        const auto complaints = schedule::verify(schedules, exchange.expected());
        BOOST_TEST(!complaints.empty(), "not found with " << repeated_by(seed + i) << ": "
                                                          << rule->name << ", "
                                                          << described(exchange));
    }
    if (cases >= 100) BOOST_TEST(broken > cases / 4);
}

BOOST_AUTO_TEST_SUITE_END()
