// SPDX-License-Identifier: MIT
#pragma once

#include "routing/program.hpp"

#include <memory>
#include <span>

namespace carpool::routing {

/// A set of ranks in the form that a message carries, whose words all readers may share: ascending
/// ranks, or one bit for each of P ranks, whichever is shorter.
class RankSet {
public:
    RankSet() = default;

    /// @param words  the result of written() for the same number of ranks
    RankSet(std::shared_ptr<const Words> words, int ranks);

    static Words written(std::span<const int> ascending, int ranks);

    bool contains(int rank) const;
    bool is_bits() const { return is_bits_; }

    /// Its members, or its bits: 32 to a word, the lowest first.
    std::span<const int> words() const { return words_; }

private:
    std::shared_ptr<const Words> owner_;
    std::span<const int> words_;
    bool is_bits_ = false;
};

}  // namespace carpool::routing
