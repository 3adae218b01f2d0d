#include "routing/simulation.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace carpool::routing {
void resume(std::span<const Conversation> conversations) {
    constexpr std::size_t worth_a_thread = 256;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const auto share = std::max(worth_a_thread, (conversations.size() + cores - 1) / cores);
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < conversations.size(); first += share) {
        const auto part =
            conversations.subspan(first, std::min(share, conversations.size() - first));
        const auto work = [part] {
            for (const auto& conversation : part) conversation.waiting.resume();
        };
        if (part.size() == conversations.size()) return work();
        threads.emplace_back(work);
    }
}

namespace {

/// Makes room for the messages of all ranks.
void make_room(std::span<Conversation> conversations) {
    std::vector<std::size_t> messages(conversations.size());
    for (const auto& conversation : conversations)
        for (const auto& message : conversation.said.messages)
            ++messages[static_cast<std::size_t>(message.peer)];
    for (std::size_t rank = 0; rank < messages.size(); ++rank)
        conversations[rank].heard.messages.reserve(messages[rank]);
}

/// What is set on the board of any rank.
std::vector<std::uint64_t> joint_board(std::span<const Conversation> conversations) {
    auto joint = conversations.front().said.board;
    for (const auto& conversation : conversations)
        for (std::size_t i = 0; i < joint.size(); ++i) joint[i] |= conversation.said.board[i];
    return joint;
}

}  // namespace

void deliver(std::span<Conversation> conversations, std::span<SuperstepTraffic> traffic) {
    make_room(conversations);
    const auto board = joint_board(conversations);
    for (std::size_t rank = 0; rank < conversations.size(); ++rank) {
        auto said = std::exchange(conversations[rank].said, {});
        auto& count = traffic[rank];
        ++count.supersteps;
        count.board_words += static_cast<std::int64_t>(board.size());
        for (auto& [peer, words] : said.messages) {
            ++count.messages;
            count.words += static_cast<std::int64_t>(words->size());
            conversations[static_cast<std::size_t>(peer)].heard.messages.push_back(
                {static_cast<int>(rank), std::move(words)});
        }
        conversations[rank].heard.board = std::move(said.board);
        conversations[rank].heard.board = board;
    }
}

}  // namespace carpool::routing
