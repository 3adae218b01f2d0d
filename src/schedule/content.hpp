// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::schedule {

/// The symbol of a send block, or of the same send block of several ranks in a row.
struct Origin {
    int rank;
    int send_slot;
    std::int64_t bytes;
    int ranks = 1;
    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Which sums of the same blocks count as equal.
enum class SumOrder {
    any,
    exact,     ///< in the same order, for an operator that does not commute
    repeated,  ///< in any order, each block once or more, as in a barrier
};

/// The content of a slot: a block, the sum of several in the order in which they were added, or
/// nothing. Summands from the same slot of several ranks in a row are stored as one.
struct Content {
    Content() = default;
    Content(const Origin& block) : blocks{block} {}
    explicit operator bool() const { return !blocks.empty(); }
    friend bool operator==(const Content&, const Content&) = default;

    void add(const Origin& block);
    void add(const Content& other);

    /// A form that is the same for all contents that count as equal.
    Content normalised(SumOrder order) const;

    std::vector<Origin> blocks;
};

/// "send[0] of rank 0 (8 B) + ...", or "nothing".
std::string to_text(const Content& content);

}  // namespace carpool::schedule
