// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "shared/staged_content.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

/// A publisher that sends the same content to several endpoints, in starts of random lengths. Each
/// endpoint has a thread of its own, which posts receives and reads at its own pace. Counts the
/// wrong bytes. All threads see the memory at the same address, so that ThreadSanitizer recognizes
/// it.
class StagingTraffic {
public:
    static constexpr std::size_t readers = 3;

    explicit StagingTraffic(std::uint64_t seed) : seed_(seed) {
        for (auto& one : ends_) one = std::make_unique<End>(home_->whole());
    }

    std::size_t run(int starts) {
        std::vector<std::thread> threads;
        threads.emplace_back([this, starts] { publish(starts); });
        for (std::size_t reader = 0; reader < readers; ++reader)
            threads.emplace_back([this, reader, starts] { read(reader, starts); });
        for (auto& thread : threads) thread.join();
        return wrong_;
    }

    /// Bytes of the publisher's staging buffers.
    std::size_t kept() const { return home_->in_use() - before_; }

private:
    using StagedContent = carpool::shared::StagedContent;
    using SharedSegment = carpool::shared::SharedSegment;
    using Endpoint = carpool::shared::Endpoint;
    using Mailbox = carpool::shared::Mailbox;
    static constexpr carpool::shared::Address address{7, 0};
    static constexpr std::size_t most = 512;

    /// One reader: the publisher's endpoint and the reader's own.
    struct End {
        explicit End(std::span<const std::byte> memory)
            : its(*mailboxes[1], *mailboxes[0], memory) {}
        std::array<std::unique_ptr<Mailbox>, 2> mailboxes{std::make_unique<Mailbox>(),
                                                          std::make_unique<Mailbox>()};
        Endpoint ours{*mailboxes[0], *mailboxes[1], {}};
        Endpoint its;
    };

    static std::byte byte_of(int start, std::size_t i) {
        return static_cast<std::byte>(static_cast<std::size_t>(start) * 31 + i);
    }
    static std::size_t length_of(int start) {
        return 1 + static_cast<std::size_t>(start) * 37 % most;
    }

    static std::int64_t put(std::byte* buffer, int start) {
        for (std::size_t i = 0; i < length_of(start); ++i) buffer[i] = byte_of(start, i);
        return static_cast<std::int64_t>(length_of(start));
    }

    /// Replaces the content now and then, while the old one may still be read.
    void publish(int starts) {
        RandomSource random(seed_);
        std::unique_ptr<StagedContent> content;
        for (int start = 0; start < starts; ++start) {
            if (!content || random.one_in(10)) content = opened();
            content->resize(length_of(start));
            content->restart();
            while (content->load([&](std::byte* buffer) { return put(buffer, start); }) !=
                   StagedContent::LoadResult::yes)
                std::this_thread::yield();
            for (std::size_t reader = 0; reader < readers; ++reader)
                while (!content->notify(reader, address)) std::this_thread::yield();
        }
    }

    std::unique_ptr<StagedContent> opened() {
        auto content = std::make_unique<StagedContent>(*home_);
        for (auto& end : ends_) content->add_reader(end->ours);
        return content;
    }

    void read(std::size_t reader, int starts) {
        RandomSource random(seed_ + 1 + reader);
        auto& endpoint = ends_[reader]->its;
        for (int start = 0; start < starts; ++start) {
            if (random.one_in(10)) endpoint.poll();  // so that some come early
            if (random.one_in(20)) std::this_thread::yield();
            carpool::shared::PostedReceive next{address};
            endpoint.post(next);
            for (; !next.matched.load(std::memory_order_acquire); endpoint.poll())
                std::this_thread::yield();
            compare(next.envelope, start);
            endpoint.release(next.envelope);
        }
    }

    void compare(const carpool::shared::Envelope& envelope, int start) {
        const auto length = length_of(start);
        if (envelope.bytes != static_cast<std::int64_t>(length)) {
            ++wrong_;
            return;
        }
        for (std::size_t i = 0; i < length; ++i)
            wrong_ += envelope.content[i] != byte_of(start, i) ? 1U : 0U;
    }

    std::uint64_t seed_;
    std::unique_ptr<SharedSegment> home_ = SharedSegment::create(std::size_t{1} << 20);
    std::size_t before_ = home_->in_use();
    std::array<std::unique_ptr<End>, readers> ends_;
    std::atomic<std::size_t> wrong_ = 0;
};
