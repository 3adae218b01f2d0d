// SPDX-License-Identifier: MIT
#include "simulate/receives.hpp"

#include <algorithm>
#include <compare>
#include <stdexcept>
#include <string>

namespace carpool::simulate {

Receives::Receives(std::span<const Trace> traces) {
    for (const auto& trace : traces) {
        const auto first = first_.emplace_back(sorted_.size());
        for (const auto& message : trace.receives)
            sorted_.push_back({message.peer, message.tag, sorted_.size()});
        std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.end());
    }
    first_.push_back(sorted_.size());
}

std::size_t Receives::of(int sender, const TracedMessage& message) const {
    const auto at = [this](int rank) {
        return sorted_.begin() +
               static_cast<std::ptrdiff_t>(first_[static_cast<std::size_t>(rank)]);
    };
    const auto end = at(message.peer + 1);
    const auto found =
        std::lower_bound(at(message.peer), end, Key{sender, message.tag, std::size_t{0}});
    if (found == end || found->peer != sender || found->tag != message.tag)
        throw std::invalid_argument("rank " + std::to_string(message.peer) +
                                    " does not receive what rank " + std::to_string(sender) +
                                    " sends");
    return found->number;
}

}  // namespace carpool::simulate
