// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "shared/endpoint.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

/// Two endpoints that send each other random messages, in ring entries and in staging buffers, with
/// a thread for each direction on each side. A receiver posts some receives early and some late,
/// and releases messages in any order. Counts the wrong bytes.
class EndpointTraffic {
public:
    explicit EndpointTraffic(std::uint64_t seed) : seed_(seed) {
        for (std::size_t side = 0; side < 2; ++side)
            sides_[side] = std::make_unique<Side>(*mailboxes_[side], *mailboxes_[1 - side],
                                                  buffers_[1 - side]);
    }

    /// @param messages  number in each direction
    std::size_t run(int envelopes) {
        std::vector<std::thread> threads;
        for (const std::size_t side : {0U, 1U}) {
            threads.emplace_back([this, side, envelopes] { send_all(side, envelopes); });
            threads.emplace_back([this, side, envelopes] { receive_all(side, envelopes); });
        }
        for (auto& thread : threads) thread.join();
        return wrong_;
    }

private:
    using Endpoint = carpool::shared::Endpoint;
    using Place = carpool::shared::ContentPlace;
    using Mailbox = carpool::shared::Mailbox;
    using PostedReceive = carpool::shared::PostedReceive;
    static constexpr std::size_t buffer_bytes = 512;
    static constexpr int tags = 3;
    static constexpr std::uint64_t context = 7;

    struct Side {
        Side(Mailbox& own, const Mailbox& theirs, std::span<const std::byte> memory)
            : endpoint(own, theirs, memory) {}
        Endpoint endpoint;
    };

    /// Byte i of the message with that number.
    static std::byte byte_of(int envelope, std::size_t i) {
        return static_cast<std::byte>(static_cast<std::size_t>(envelope) * 31 + i);
    }
    static std::size_t length_of(int envelope) {
        return static_cast<std::size_t>(envelope) * 37 % buffer_bytes;
    }

    void send_all(std::size_t side, int envelopes) {
        RandomSource random(seed_ + side);
        std::array<std::uint64_t, 2> read_by{};
        for (int envelope = 0; envelope < envelopes; ++envelope) {
            const carpool::shared::Address to{context, envelope % tags};
            const auto length = length_of(envelope);
            while (!send(side, to, envelope, length, read_by)) std::this_thread::yield();
            if (random.one_in(20)) std::this_thread::yield();
        }
    }

    bool send(std::size_t side, const carpool::shared::Address& to, int envelope,
              std::size_t length, std::array<std::uint64_t, 2>& read_by) {
        auto& endpoint = sides_[side]->endpoint;
        const auto bytes = static_cast<std::int64_t>(length);
        if (length <= carpool::shared::RingEntry::capacity) {
            std::byte content[carpool::shared::RingEntry::capacity];
            for (std::size_t i = 0; i < length; ++i) content[i] = byte_of(envelope, i);
            return endpoint.send(to, Place::in_entry, bytes, {content, length}) != 0;
        }
        const auto room = static_cast<std::size_t>(envelope) % 2;
        if (read_by[room] != 0 && !endpoint.has_read(read_by[room])) return false;
        for (std::size_t i = 0; i < length; ++i)
            buffers_[side][room * buffer_bytes + i] = byte_of(envelope, i);
        const auto number = endpoint.send_staged(to, bytes, room * buffer_bytes);
        if (number != 0) read_by[room] = number;
        return number != 0;
    }

    /// Posts a few receives at a time, in reverse order as far as they have different tags.
    void receive_all(std::size_t side, int envelopes) {
        RandomSource random(seed_ + 2 + side);
        auto& endpoint = sides_[side]->endpoint;
        for (int first = 0; first < envelopes; first += tags) {
            const int count = std::min(tags, envelopes - first);
            if (random.one_in(10)) endpoint.poll();  // so that some come early
            std::array<PostedReceive, tags> expected;
            for (int i = count - 1; i >= 0; --i) {
                auto& one = expected[static_cast<std::size_t>(i)];
                one.address = {context, (first + i) % tags};
                endpoint.post(one);
            }
            for (int i = 0; i < count; ++i)
                take(endpoint, expected[static_cast<std::size_t>(i)], first + i);
        }
    }

    void take(Endpoint& endpoint, PostedReceive& posted_receive, int envelope) {
        for (endpoint.poll(); !posted_receive.matched.load(std::memory_order_acquire);
             endpoint.poll())
            std::this_thread::yield();
        const auto& come = posted_receive.envelope;
        if (come.bytes != static_cast<std::int64_t>(length_of(envelope)))
            ++wrong_;
        else
            for (std::size_t i = 0; i < length_of(envelope); ++i)
                wrong_ += come.content[i] != byte_of(envelope, i) ? 1U : 0U;
        endpoint.release(posted_receive.envelope);
    }

    std::uint64_t seed_;
    std::array<std::unique_ptr<Mailbox>, 2> mailboxes_{std::make_unique<Mailbox>(),
                                                       std::make_unique<Mailbox>()};
    std::array<std::array<std::byte, 2 * buffer_bytes>, 2> buffers_{};
    std::array<std::unique_ptr<Side>, 2> sides_;
    std::atomic<std::size_t> wrong_ = 0;
};
