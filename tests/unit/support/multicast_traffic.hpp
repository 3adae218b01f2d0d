// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "shared/endpoint.hpp"
#include "shared/shared_segment.hpp"
#include "shared/staged_content.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

/// A writer that sends numbers to changing reader sets of endpoints, by multicasts, by multicasts
/// of staging buffers, and by envelopes in between. Each endpoint has a thread of its own, which
/// posts receives and reads at its own pace and may be late. All messages have the same address, so
/// they must arrive in order. Counts the wrong numbers.
class MulticastTraffic {
public:
    static constexpr std::size_t readers = 4;

    explicit MulticastTraffic(std::uint64_t seed) : seed_(seed) {
        const auto* const multicast_ring =
            reinterpret_cast<const carpool::shared::MulticastEntries*>(
                home_->at(home_->multicast_ring()->offset()));
        for (std::size_t i = 0; i < readers; ++i)
            ends_[i] = std::make_unique<End>(home_->whole(), multicast_ring, i);
    }

    std::size_t run(int messages) {
        const auto plan = planned(messages);
        std::vector<std::thread> threads;
        threads.emplace_back([&] { write(plan); });
        for (std::size_t reader = 0; reader < readers; ++reader)
            threads.emplace_back([&, reader] { read(reader, plan); });
        for (auto& thread : threads) thread.join();
        return wrong_;
    }

private:
    using Endpoint = carpool::shared::Endpoint;
    using Place = carpool::shared::ContentPlace;
    using Mailbox = carpool::shared::Mailbox;
    static constexpr carpool::shared::Address address{7, 3};

    /// One reader: the writer's endpoint and the reader's own. The number of its mailbox may need
    /// more than one word of the bit set.
    struct End {
        End(std::span<const std::byte> memory,
            const carpool::shared::MulticastEntries* multicast_ring, std::size_t number)
            : ours(*mailboxes[0], *mailboxes[1], {}, {nullptr, 0, 50 + 30 * number}),
              its(*mailboxes[1], *mailboxes[0], memory, {multicast_ring, 50 + 30 * number, 0}) {}
        std::array<std::unique_ptr<Mailbox>, 2> mailboxes{std::make_unique<Mailbox>(),
                                                          std::make_unique<Mailbox>()};
        Endpoint ours;
        Endpoint its;
    };

    enum class Way { multicast, staged, envelopes };

    struct Message {
        Way way;
        unsigned reader_set;  ///< a bit per reader
    };

    std::vector<Message> planned(int messages) const {
        RandomSource random(seed_);
        std::vector<Message> plan;
        for (int i = 0; i < messages; ++i)
            plan.push_back({static_cast<Way>(random.between(0, 2)),
                            static_cast<unsigned>(random.between(1, (1 << readers) - 1))});
        return plan;
    }

    std::vector<Endpoint*> endpoints_of(unsigned reader_set) {
        std::vector<Endpoint*> endpoints;
        for (std::size_t i = 0; i < readers; ++i)
            if ((reader_set >> i & 1) != 0) endpoints.push_back(&ends_[i]->ours);
        return endpoints;
    }

    static std::int64_t put(std::byte* to, std::int64_t number) {
        std::memcpy(to, &number, sizeof number);
        return sizeof number;
    }

    void write(const std::vector<Message>& plan) {
        for (std::size_t i = 0; i < plan.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            const auto endpoints = endpoints_of(plan[i].reader_set);
            const bool multicasts_taken =
                plan[i].way != Way::envelopes &&
                (plan[i].way == Way::staged ? post_staged(endpoints, number)
                                            : post(endpoints, number));
            if (multicasts_taken) continue;
            for (auto* const endpoint : endpoints)
                while (!send(*endpoint, number)) std::this_thread::yield();
        }
    }

    bool post(const std::vector<Endpoint*>& endpoints, std::int64_t number) {
        const auto* const reader_set = home_->multicast_ring()->reader_set(endpoints);
        return home_->multicast_ring()->write(
                   *reader_set, address, Place::in_entry,
                   [&](std::byte* entry) { return put(entry, number); }) != 0;
    }

    /// Posts staged content, of which the message is one of several reads.
    bool post_staged(const std::vector<Endpoint*>& endpoints, std::int64_t number) {
        carpool::shared::StagedContent content(*home_);
        content.resize(sizeof number);
        std::vector<std::size_t> numbers;
        for (auto* const endpoint : endpoints) numbers.push_back(content.add_reader(*endpoint));
        content.restart();
        content.load([&](std::byte* buffer) { return put(buffer, number); });
        const auto multicasts_taken = std::max<std::size_t>(1, endpoints.size() - 1);
        numbers.resize(multicasts_taken);
        const auto* const reader_set = home_->multicast_ring()->reader_set(
            {endpoints.begin(), endpoints.begin() + static_cast<std::ptrdiff_t>(multicasts_taken)});
        if (!content.notify_all(*home_->multicast_ring(), *reader_set, numbers, address))
            return false;
        for (auto reader = multicasts_taken; reader < endpoints.size(); ++reader)
            while (!content.notify(reader, address)) std::this_thread::yield();
        return true;
    }

    static bool send(Endpoint& endpoint, std::int64_t number) {
        return endpoint.send(address, Place::in_entry, sizeof number,
                             std::as_bytes(std::span(&number, 1))) != 0;
    }

    void read(std::size_t reader, const std::vector<Message>& plan) {
        RandomSource random(seed_ + 1 + reader);
        auto& endpoint = ends_[reader]->its;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if ((plan[i].reader_set >> reader & 1) == 0) continue;
            if (random.one_in(10)) endpoint.poll();  // so that some come early
            if (random.one_in(30)) std::this_thread::yield();
            carpool::shared::PostedReceive next{address};
            endpoint.post(next);
            for (; !next.matched.load(std::memory_order_acquire); endpoint.poll())
                std::this_thread::yield();
            std::int64_t number = -1;
            std::memcpy(&number, next.envelope.content, sizeof number);
            wrong_ += number != static_cast<std::int64_t>(i) ? 1U : 0U;
            endpoint.release(next.envelope);
        }
    }

    std::uint64_t seed_;
    std::unique_ptr<carpool::shared::SharedSegment> home_ =
        carpool::shared::SharedSegment::create(std::size_t{1} << 20);
    std::array<std::unique_ptr<End>, readers> ends_;
    std::atomic<std::size_t> wrong_ = 0;
};
