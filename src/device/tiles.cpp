// SPDX-License-Identifier: MIT
#include "device/tiles.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::device {
namespace {

constexpr std::int64_t most_bytes = 4096;

std::uint64_t number(const std::byte* address) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
}

/// The longest word of which the strip consists on both sides.
std::uint32_t width_of(const Strip& strip) {
    constexpr std::uint64_t widest = 16;
    auto bits =
        number(strip.from) | number(strip.to) | static_cast<std::uint64_t>(strip.length) | widest;
    if (strip.pieces > 1)
        bits |= static_cast<std::uint64_t>(strip.from_stride) |
                static_cast<std::uint64_t>(strip.to_stride);
    return static_cast<std::uint32_t>(bits & (~bits + 1));
}

void add_tile(std::vector<Tile>& tiles, const Strip& strip, std::uint32_t width) {
    tiles.push_back({number(strip.from), number(strip.to), strip.from_stride, strip.to_stride,
                     static_cast<std::uint32_t>(strip.length / width),
                     static_cast<std::uint32_t>(strip.pieces), width, 0});
}

/// Cuts pieces that are longer than a tile, each by itself.
void add_long_pieces(std::vector<Tile>& tiles, const Strip& strip, std::uint32_t width) {
    for (std::int64_t piece = 0; piece < strip.pieces; ++piece)
        for (std::int64_t at = 0; at < strip.length; at += most_bytes)
            add_tile(tiles,
                     {strip.from + piece * strip.from_stride + at,
                      strip.to + piece * strip.to_stride + at,
                      std::min(most_bytes, strip.length - at), 0, 0, 1},
                     width);
}

}  // namespace

std::vector<Tile> tiles_of(std::span<const Strip> strips) {
    std::vector<Tile> tiles;
    for (const auto& strip : strips) {
        if (strip.length <= 0 || strip.pieces <= 0) continue;
        const auto width = width_of(strip);
        if (strip.length > most_bytes) {
            add_long_pieces(tiles, strip, width);
            continue;
        }
        const auto at_once = most_bytes / strip.length;
        for (std::int64_t first = 0; first < strip.pieces; first += at_once)
            add_tile(tiles,
                     {strip.from + first * strip.from_stride, strip.to + first * strip.to_stride,
                      strip.length, strip.from_stride, strip.to_stride,
                      std::min(at_once, strip.pieces - first)},
                     width);
    }
    return tiles;
}

}  // namespace carpool::device
