// SPDX-License-Identifier: MIT
#include "routing/simulation.hpp"

#include "topology/bits.hpp"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

namespace carpool::routing {
void resume(std::span<const SuperstepExchange> exchanges) {
    constexpr std::size_t worth_a_thread = 256;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const auto share = std::max(worth_a_thread, (exchanges.size() + cores - 1) / cores);
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < exchanges.size(); first += share) {
        const auto part = exchanges.subspan(first, std::min(share, exchanges.size() - first));
        const auto work = [part] {
            for (const auto& exchange : part) exchange.waiting.resume();
        };
        if (part.size() == exchanges.size()) return work();
        threads.emplace_back(work);
    }
}

namespace {

/// Reserves memory for the messages of all ranks.
void make_room(std::span<SuperstepExchange> exchanges) {
    std::vector<std::size_t> messages(exchanges.size());
    for (const auto& exchange : exchanges)
        for (const auto& message : exchange.said.messages)
            ++messages[static_cast<std::size_t>(message.peer)];
    for (std::size_t rank = 0; rank < messages.size(); ++rank)
        exchanges[rank].heard.messages.reserve(messages[rank]);
}

/// The bits that any rank sets, in memory that all ranks share; null if the board has no words.
std::shared_ptr<const Board> joint_board(std::span<const SuperstepExchange> exchanges) {
    const auto words = exchanges.front().said.marks.words;
    if (words == 0) return nullptr;
    Board joint(words);
    for (const auto& exchange : exchanges)
        for (const int bit : exchange.said.marks.bits) topology::set_bit(joint, bit);
    return std::make_shared<const Board>(std::move(joint));
}

}  // namespace

void deliver(std::span<SuperstepExchange> exchanges, std::span<SuperstepTraffic> traffic) {
    make_room(exchanges);
    const auto board = joint_board(exchanges);
    for (std::size_t rank = 0; rank < exchanges.size(); ++rank) {
        auto said = std::exchange(exchanges[rank].said, {});
        auto& count = traffic[rank];
        ++count.supersteps;
        count.board_words += static_cast<std::int64_t>(said.marks.words);
        for (auto& [peer, words] : said.messages) {
            ++count.messages;
            count.words += static_cast<std::int64_t>(words->size());
            exchanges[static_cast<std::size_t>(peer)].heard.messages.push_back(
                {static_cast<int>(rank), std::move(words)});
        }
        exchanges[rank].heard.board = board;
    }
}

}  // namespace carpool::routing
