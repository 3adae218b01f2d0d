// SPDX-License-Identifier: MIT
// Tiles copy what strips say, byte for byte, whatever the alignment; and pinned memory goes back.

#include <boost/test/unit_test.hpp>

#include "device/pinned_pool.hpp"
#include "device/tiles.hpp"

#include <cstdlib>
#include <map>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_device_tiles)

namespace {

using namespace carpool::device;
using Memory = std::vector<std::byte>;

Memory numbered(std::size_t size) {
    Memory memory(size);
    for (std::size_t i = 0; i < size; ++i) memory[i] = static_cast<std::byte>(i * 7 + i / 251);
    return memory;
}

void run(const std::vector<Tile>& tiles) {
    for (const auto& tile : tiles)
        for (unsigned lane = 0; lane < lanes_of_tile; ++lane) copy_tile(tile, lane);
}

void run(const std::vector<Strip>& strips) {
    for (const auto& one : strips)
        for (std::int64_t piece = 0; piece < one.pieces; ++piece)
            std::copy_n(one.from + piece * one.from_stride, one.length,
                        one.to + piece * one.to_stride);
}

/// What strips leave in poisoned memory, by tiles and one by one.
void expect_same(const std::vector<Strip>& strips, Memory& to) {
    const Memory poisoned(to.size(), std::byte{0xA5});
    to = poisoned;
    run(strips);
    const auto expected = to;
    std::copy(poisoned.begin(), poisoned.end(), to.begin());
    run(tiles_of(strips));
    BOOST_TEST((to == expected));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_column_is_one_tile_of_words_of_8) {
    const auto from = numbered(64 * 16);
    Memory to(64 * 8);
    const auto tiles = tiles_of(std::vector<Strip>{{from.data(), to.data(), 8, 16, 8, 64}});
    BOOST_REQUIRE(tiles.size() == 1u);
    BOOST_TEST(tiles[0].width == 8u);
    BOOST_TEST(tiles[0].words == 1u);
    BOOST_TEST(tiles[0].pieces == 64u);
}

BOOST_AUTO_TEST_CASE(a_long_piece_is_cut_into_4_KiB) {
    const auto from = numbered(10000);
    Memory to(10000);
    const std::vector<Strip> strips{{from.data(), to.data(), 10000, 0, 0, 1}};
    BOOST_TEST(tiles_of(strips).size() == 3u);
    expect_same(strips, to);
}

BOOST_AUTO_TEST_CASE(an_empty_layout_has_no_tile) {
    Memory memory(1);
    BOOST_TEST(tiles_of(std::vector<Strip>{{memory.data(), memory.data(), 0, 0, 0, 5}}).empty());
}

BOOST_AUTO_TEST_CASE(random_strips_are_copied_as_they_say) {
    std::mt19937 random(1);
    const auto number = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution(least, most)(random);
    };
    for (int trial = 0; trial < 300; ++trial) {
        const auto unit = std::int64_t{1} << number(0, 4);
        const auto length = unit * number(1, trial % 10 == 0 ? 700 : 20);
        const auto pieces = number(1, 300);
        const auto from_stride = length + unit * number(0, 5);
        const auto to_stride = length + unit * number(0, 5);
        const auto from = numbered(static_cast<std::size_t>(pieces * from_stride + 16));
        Memory to(static_cast<std::size_t>(pieces * to_stride + 16));
        expect_same({{from.data() + number(0, 16), to.data() + number(0, 16), length, from_stride,
                      to_stride, pieces}},
                    to);
    }
}

BOOST_AUTO_TEST_CASE(a_stride_may_lead_backwards) {
    const auto from = numbered(800);
    Memory to(800);
    expect_same({{from.data() + 792, to.data(), 8, -8, 8, 100}}, to);
}

BOOST_AUTO_TEST_CASE(a_pool_frees_a_chunk_with_its_last_piece) {
    std::map<void*, std::size_t> pinned;
    PinnedPool pool({[&](std::size_t bytes) {
                         void* const memory = std::malloc(bytes);
                         pinned[memory] = bytes;
                         return memory;
                     },
                     [&](void* memory) {
                         pinned.erase(memory);
                         std::free(memory);
                     }});
    {
        const auto small = pool.take(100);
        auto large = pool.take(1 << 20);
        const auto next = pool.take(100);
        BOOST_TEST(pinned.size() == 3u);
        BOOST_TEST((next.get() != small.get()));
        large = PinnedBuffer();
        BOOST_TEST(pinned.size() == 2u);
    }
    BOOST_TEST(pinned.empty());
}

BOOST_AUTO_TEST_CASE(a_pool_without_memory_says_so) {
    PinnedPool pool({[](std::size_t) -> void* { return nullptr; }, [](void*) {}});
    BOOST_CHECK_THROW(pool.take(1), std::bad_alloc);
}

BOOST_AUTO_TEST_SUITE_END()
