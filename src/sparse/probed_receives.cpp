// SPDX-License-Identifier: MIT
#include "sparse/probed_receives.hpp"

#include <algorithm>
#include <utility>

namespace carpool::sparse {

std::optional<ReceivedMessage> ProbedReceives::arrived() {
    while (auto message = next()) coming_.push_back(std::move(*message));
    while (const auto ended = messages_.test_any()) {
        const auto first = std::ranges::find(coming_, *ended, &engine::UnexpectedMessage::receive);
        if (first == coming_.end()) continue;
        ReceivedMessage message{first->bytes, std::move(first->memory)};
        coming_.erase(first);
        return message;
    }
    return std::nullopt;
}

}  // namespace carpool::sparse
