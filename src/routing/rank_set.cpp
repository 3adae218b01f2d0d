// SPDX-License-Identifier: MIT
#include "routing/rank_set.hpp"

#include <algorithm>
#include <utility>

namespace carpool::routing {
namespace {

constexpr int bits_per_word = 32;

std::size_t words_of_bits(int ranks) {
    return static_cast<std::size_t>((ranks + bits_per_word - 1) / bits_per_word);
}

std::size_t word_of(int rank) { return static_cast<std::size_t>(rank / bits_per_word); }

int bit_of(int rank) { return static_cast<int>(1u << (rank % bits_per_word)); }

}  // namespace

/// A list is written only if it is shorter than the bits, so the length determines the form.
RankSet::RankSet(std::shared_ptr<const Words> words, int ranks)
    : owner_(std::move(words)), words_(*owner_), is_bits_(words_.size() == words_of_bits(ranks)) {}

Words RankSet::written(std::span<const int> ascending, int ranks) {
    if (ascending.size() < words_of_bits(ranks)) return {ascending.begin(), ascending.end()};
    Words bits(words_of_bits(ranks));
    for (const int rank : ascending) bits[word_of(rank)] |= bit_of(rank);
    return bits;
}

bool RankSet::contains(int rank) const {
    if (is_bits_) return (words_[word_of(rank)] & bit_of(rank)) != 0;
    return std::binary_search(words_.begin(), words_.end(), rank);
}

}  // namespace carpool::routing
