// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::ghosts {

/// A rank's ghosts as it gives them: the rank that owns each, and its index there.
struct GhostList {
    std::span<const int> owners;
    std::span<const std::int64_t> indices;
};

/// An entry of another rank, or of this one, that ghosts stand for.
struct Entry {
    std::int64_t index;  ///< on its owner
    int times;           ///< how many ghosts stand for it
    friend bool operator==(const Entry&, const Entry&) = default;
};

/// What a rank needs of one owner.
struct Need {
    int owner;
    std::vector<Entry> entries;           ///< ascending, each once
    std::vector<std::int64_t> positions;  ///< the positions of the ghosts, entry by entry
};

/// The needs of a rank, by ascending owner.
/// @pre every owner is a rank
std::vector<Need> needs_of(const GhostList& ghosts);

}  // namespace carpool::ghosts
