#pragma once

#include "random_source.hpp"
#include "shared/mate.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

/// Two mates that talk, each a thread of its own: random letters, in cells and in staging buffers,
/// of which the other expects some early and some late and releases them in any order. Says how
/// many bytes came wrong.
class MateTalk {
public:
    explicit MateTalk(std::uint64_t seed) : seed_(seed) {
        for (std::size_t side = 0; side < 2; ++side)
            sides_[side] = std::make_unique<Side>(*drawers_[side], *drawers_[1 - side],
                                                  buffers_[1 - side].data());
    }

    /// @param letters  each way
    std::size_t run(int letters) {
        std::vector<std::thread> threads;
        for (const std::size_t side : {0U, 1U}) {
            threads.emplace_back([this, side, letters] { send_all(side, letters); });
            threads.emplace_back([this, side, letters] { receive_all(side, letters); });
        }
        for (auto& thread : threads) thread.join();
        return wrong_;
    }

private:
    using Mate = carpool::shared::Mate;
    using Place = carpool::shared::Place;
    using Drawer = carpool::shared::Drawer;
    using Expectation = carpool::shared::Expectation;
    static constexpr std::size_t buffer_bytes = 512;
    static constexpr int tags = 3;
    static constexpr std::uint64_t context = 7;

    struct Side {
        Side(Drawer& own, const Drawer& theirs, const std::byte* memory)
            : mate(own, theirs, memory) {}
        Mate mate;
    };

    /// What the letter of that number carries.
    static std::byte byte_of(int letter, std::size_t i) {
        return static_cast<std::byte>(static_cast<std::size_t>(letter) * 31 + i);
    }
    static std::size_t length_of(int letter) {
        return static_cast<std::size_t>(letter) * 37 % buffer_bytes;
    }

    void send_all(std::size_t side, int letters) {
        RandomSource random(seed_ + side);
        std::array<std::uint64_t, 2> read_by{};
        for (int letter = 0; letter < letters; ++letter) {
            const carpool::shared::Address to{context, letter % tags};
            const auto length = length_of(letter);
            while (!send(side, to, letter, length, read_by)) std::this_thread::yield();
            if (random.one_in(20)) std::this_thread::yield();
        }
    }

    bool send(std::size_t side, const carpool::shared::Address& to, int letter, std::size_t length,
              std::array<std::uint64_t, 2>& read_by) {
        auto& mate = sides_[side]->mate;
        const auto bytes = static_cast<std::int64_t>(length);
        if (length <= carpool::shared::Cell::capacity) {
            std::byte content[carpool::shared::Cell::capacity];
            for (std::size_t i = 0; i < length; ++i) content[i] = byte_of(letter, i);
            return mate.send(to, Place::in_cell, bytes, {content, length}) != 0;
        }
        const auto room = static_cast<std::size_t>(letter) % 2;
        if (read_by[room] != 0 && !mate.has_read(read_by[room])) return false;
        for (std::size_t i = 0; i < length; ++i)
            buffers_[side][room * buffer_bytes + i] = byte_of(letter, i);
        const auto number = mate.send_staged(to, bytes, room * buffer_bytes);
        if (number != 0) read_by[room] = number;
        return number != 0;
    }

    /// Expects a few at a time, the last of them first as far as they have tags of their own.
    void receive_all(std::size_t side, int letters) {
        RandomSource random(seed_ + 2 + side);
        auto& mate = sides_[side]->mate;
        for (int first = 0; first < letters; first += tags) {
            const int count = std::min(tags, letters - first);
            if (random.one_in(10)) mate.look();  // so that some come early
            std::array<Expectation, tags> expected;
            for (int i = count - 1; i >= 0; --i) {
                auto& one = expected[static_cast<std::size_t>(i)];
                one.address = {context, (first + i) % tags};
                mate.expect(one);
            }
            for (int i = 0; i < count; ++i)
                take(mate, expected[static_cast<std::size_t>(i)], first + i);
        }
    }

    void take(Mate& mate, Expectation& expectation, int letter) {
        for (mate.look(); !expectation.met.load(std::memory_order_acquire); mate.look())
            std::this_thread::yield();
        const auto& come = expectation.letter;
        if (come.bytes != static_cast<std::int64_t>(length_of(letter)))
            ++wrong_;
        else
            for (std::size_t i = 0; i < length_of(letter); ++i)
                wrong_ += come.content[i] != byte_of(letter, i) ? 1U : 0U;
        mate.release(expectation.letter);
    }

    std::uint64_t seed_;
    std::array<std::unique_ptr<Drawer>, 2> drawers_{std::make_unique<Drawer>(),
                                                    std::make_unique<Drawer>()};
    std::array<std::array<std::byte, 2 * buffer_bytes>, 2> buffers_{};
    std::array<std::unique_ptr<Side>, 2> sides_;
    std::atomic<std::size_t> wrong_ = 0;
};
