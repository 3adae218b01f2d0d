#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::schedule {

/// A send block, as the symbol that lies in a slot; or that of several ranks in a row.
struct Origin {
    int rank;
    int send_slot;
    std::int64_t bytes;
    int ranks = 1;
    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Does it matter in which order blocks are added, and how often?
enum class SumOrder {
    any,
    exact,     ///< for an operator that does not commute
    repeated,  ///< any, and more than once is as good as once: what a barrier learns
};

/// What lies in a slot: a block, the sum of several in the order they were added, or nothing.
/// Summands of one slot of several ranks in a row take no more room than one.
struct Content {
    Content() = default;
    Content(const Origin& block) : blocks{block} {}
    explicit operator bool() const { return !blocks.empty(); }
    friend bool operator==(const Content&, const Content&) = default;

    void add(const Origin& block);
    void add(const Content& other);

    /// Alike for contents that are as good as each other.
    Content normalised(SumOrder order) const;

    std::vector<Origin> blocks;
};

/// "send[0] of rank 0 (8 B) + ...", or "nothing".
std::string to_text(const Content& content);

}  // namespace carpool::schedule
