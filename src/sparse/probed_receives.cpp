#include "sparse/probed_receives.hpp"

#include <algorithm>
#include <utility>

namespace carpool::sparse {

std::optional<ReceivedMessage> ProbedReceives::arrived() {
    while (auto message = next()) coming_.push_back(std::move(*message));
    const auto ended = messages_->test_any();
    if (!ended) return std::nullopt;
    const auto first = std::find_if(coming_.begin(), coming_.end(), [&ended](const auto& coming) {
        return coming.receive == *ended;
    });
    ReceivedMessage message{first->bytes, std::move(first->memory)};
    coming_.erase(first);
    return message;
}

}  // namespace carpool::sparse
