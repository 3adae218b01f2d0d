// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::simulate {

/// The receives of all ranks in one row, rank by rank, and which of them takes a message.
class Receives {
public:
    /// @param traces  of ranks 0 .. P-1
    explicit Receives(std::span<const Trace> traces);

    std::size_t size() const { return sorted_.size(); }

    /// The place in the row of the n-th receive of a rank.
    std::size_t number(int rank, std::int64_t n) const {
        return first_[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(n);
    }

    /// The receive that takes a message. Throws std::invalid_argument if there is none.
    std::size_t of(int sender, const TracedMessage& message) const;

private:
    struct Key {
        int peer;
        int tag;
        std::size_t number;
        auto operator<=>(const Key&) const = default;
    };

    std::vector<std::size_t> first_;  // per rank, and the end
    std::vector<Key> sorted_;         // rank by rank
};

}  // namespace carpool::simulate
