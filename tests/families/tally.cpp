// SPDX-License-Identifier: MIT
#include "tally.hpp"

#include "faults.hpp"

#include <cstdio>

namespace families {
namespace {

namespace schedule = carpool::schedule;

void add(Counts& to, const Counts& more) {
    to.exchanges += more.exchanges;
    to.schedules += more.schedules;
    to.messages += more.messages;
    to.blocks += more.blocks;
    to.refused += more.refused;
    to.faults += more.faults;
    to.faults_found += more.faults_found;
}

}  // namespace

void Tally::verify(std::string_view method, const Exchange& exchange,
                   const std::function<std::string()>& what,
                   const std::vector<std::string>& found) {
    auto row = by_method_.find(method);
    if (row == by_method_.end()) row = by_method_.emplace(method, Counts{}).first;
    auto& counts = row->second;
    auto complaints = schedule::verify(exchange.schedules, exchange.expected, exchange.order);
    complaints.insert(complaints.end(), found.begin(), found.end());
    std::int64_t messages = 0;
    for (const auto& one : exchange.schedules) {
        messages += schedule::messages_sent(one);
        counts.blocks += schedule::blocks_sent(one);
    }
    if (exchange.messages >= 0 && messages != exchange.messages)
        complaints.push_back(std::to_string(messages) + " messages are sent, but " +
                             std::to_string(exchange.messages) + " are promised");
    counts.messages += messages;
    counts.schedules += std::ssize(exchange.schedules);
    counts.refused += complaints.empty() ? 0 : 1;
    if (!complaints.empty())
        complain(std::string(method) + ", " + what() + ": " + complaints.front() + " (of " +
                 std::to_string(complaints.size()) + " complaints)");
    if (counts.exchanges++ % scarcity_ == 0 && complaints.empty())
        seed_faults(counts, exchange, what);
}

void Tally::seed_faults(Counts& counts, const Exchange& exchange,
                        const std::function<std::string()>& what) {
    const auto seed = static_cast<std::uint64_t>(counts.exchanges);
    for (const auto& fault : faults()) {
        auto broken = exchange.schedules;
        RandomSource random(seed);
        if (!fault.seed(broken, exchange.order, random)) continue;
        ++counts.faults;
        if (!schedule::verify(broken, exchange.expected, exchange.order).empty())
            ++counts.faults_found;
        else
            complain("not found: " + std::string(fault.name) + ", in " + what());
    }
}

void Tally::complain(const std::string& sentence) {
    constexpr std::int64_t most = 20;
    if (++complaints_ <= most) std::printf("  %s\n", sentence.c_str());
    std::fflush(stdout);
}

Counts Tally::total() const {
    Counts total;
    for (const auto& [method, counts] : by_method_) add(total, counts);
    return total;
}

}  // namespace families
