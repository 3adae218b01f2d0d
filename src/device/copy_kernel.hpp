// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

// Included by the kernel's own source, too, which is compiled for GPUs: no other headers.

#ifdef __CUDA__
#define CARPOOL_ON_DEVICE __attribute__((device))
#else
#define CARPOOL_ON_DEVICE
#endif

namespace carpool::device {

/// A part of a copy, as the kernel reads it: pieces of equal length, evenly spaced on both sides.
/// All addresses, strides and lengths are multiples of its width.
struct Tile {
    uint64_t from;
    uint64_t to;
    int64_t from_stride;
    int64_t to_stride;
    uint32_t words;   ///< the length of a piece, in words
    uint32_t pieces;  ///< how many there are
    uint32_t width;   ///< bytes of a word: 1, 2, 4, 8 or 16
    uint32_t unused;
};

/// As many lanes copy one tile together: the threads of a warp.
inline constexpr unsigned lanes_of_tile = 32;

template <typename Word>
CARPOOL_ON_DEVICE inline void copy_words(const Tile& tile, unsigned lane) {
    const uint32_t all = tile.words * tile.pieces;
    for (uint32_t i = lane; i < all; i += lanes_of_tile) {
        const int64_t piece = i / tile.words;
        const uint64_t within = i % tile.words * sizeof(Word);
        const uint64_t from = tile.from + static_cast<uint64_t>(piece * tile.from_stride) + within;
        const uint64_t to = tile.to + static_cast<uint64_t>(piece * tile.to_stride) + within;
        *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
    }
}

/// Copies what one lane copies of a tile.
CARPOOL_ON_DEVICE inline void copy_tile(const Tile& tile, unsigned lane) {
    using Word16 [[gnu::vector_size(16), gnu::may_alias]] = unsigned long long;
    using Word8 [[gnu::may_alias]] = uint64_t;
    using Word4 [[gnu::may_alias]] = uint32_t;
    using Word2 [[gnu::may_alias]] = uint16_t;
    switch (tile.width) {
        case 16:
            return copy_words<Word16>(tile, lane);
        case 8:
            return copy_words<Word8>(tile, lane);
        case 4:
            return copy_words<Word4>(tile, lane);
        case 2:
            return copy_words<Word2>(tile, lane);
        default:
            return copy_words<unsigned char>(tile, lane);
    }
}

}  // namespace carpool::device
