#pragma once

#include "random_source.hpp"
#include "shared/household.hpp"
#include "shared/mate.hpp"
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

/// One who writes numbers to changing audiences of some mates, by notices, by notices of staging
/// buffers, and by letters in between, each mate a thread of its own that expects and reads in its
/// own time and may be late. All have one address, so they must come in their order. Says how many
/// came wrong.
class NoticesTalk {
public:
    static constexpr std::size_t readers = 4;

    explicit NoticesTalk(std::uint64_t seed) : seed_(seed) {
        const auto* const board =
            reinterpret_cast<const carpool::shared::Board*>(home_->at(home_->board()->offset()));
        for (std::size_t i = 0; i < readers; ++i)
            ends_[i] = std::make_unique<End>(home_->at(0), board, i);
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
    using Mate = carpool::shared::Mate;
    using Place = carpool::shared::Place;
    using Drawer = carpool::shared::Drawer;
    static constexpr carpool::shared::Address address{7, 3};

    /// Of one reader: how it is seen, and how it sees. Its drawer has a number beyond a word of
    /// bits.
    struct End {
        End(const std::byte* memory, const carpool::shared::Board* board, std::size_t number)
            : ours(*drawers[0], *drawers[1], nullptr, {nullptr, 0, 50 + 30 * number}),
              its(*drawers[1], *drawers[0], memory, {board, 50 + 30 * number, 0}) {}
        std::array<std::unique_ptr<Drawer>, 2> drawers{std::make_unique<Drawer>(),
                                                       std::make_unique<Drawer>()};
        Mate ours;
        Mate its;
    };

    enum class Way { notice, staged, letters };

    struct Message {
        Way way;
        unsigned audience;  ///< a bit per reader
    };

    std::vector<Message> planned(int messages) const {
        RandomSource random(seed_);
        std::vector<Message> plan;
        for (int i = 0; i < messages; ++i)
            plan.push_back({static_cast<Way>(random.between(0, 2)),
                            static_cast<unsigned>(random.between(1, (1 << readers) - 1))});
        return plan;
    }

    std::vector<Mate*> mates_of(unsigned audience) {
        std::vector<Mate*> mates;
        for (std::size_t i = 0; i < readers; ++i)
            if ((audience >> i & 1) != 0) mates.push_back(&ends_[i]->ours);
        return mates;
    }

    static std::int64_t put(std::byte* to, std::int64_t number) {
        std::memcpy(to, &number, sizeof number);
        return sizeof number;
    }

    void write(const std::vector<Message>& plan) {
        for (std::size_t i = 0; i < plan.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            const auto mates = mates_of(plan[i].audience);
            const bool noticed =
                plan[i].way != Way::letters &&
                (plan[i].way == Way::staged ? post_staged(mates, number) : post(mates, number));
            if (noticed) continue;
            for (auto* const mate : mates)
                while (!send(*mate, number)) std::this_thread::yield();
        }
    }

    bool post(const std::vector<Mate*>& mates, std::int64_t number) {
        const auto* const audience = home_->board()->audience(mates);
        return home_->board()->write(*audience, address, Place::in_cell,
                                     [&](std::byte* cell) { return put(cell, number); }) != 0;
    }

    /// The last of several reads of the staged in a letter.
    bool post_staged(const std::vector<Mate*>& mates, std::int64_t number) {
        carpool::shared::StagedContent content(*home_);
        content.resize(sizeof number);
        std::vector<std::size_t> numbers;
        for (auto* const mate : mates) numbers.push_back(content.add_reader(*mate));
        content.turn();
        content.load([&](std::byte* buffer) { return put(buffer, number); });
        const auto noticed = std::max<std::size_t>(1, mates.size() - 1);
        numbers.resize(noticed);
        const auto* const audience = home_->board()->audience(
            {mates.begin(), mates.begin() + static_cast<std::ptrdiff_t>(noticed)});
        if (!content.post(*home_->board(), *audience, numbers, address)) return false;
        for (auto reader = noticed; reader < mates.size(); ++reader)
            while (!content.tell(reader, address)) std::this_thread::yield();
        return true;
    }

    static bool send(Mate& mate, std::int64_t number) {
        return mate.send(address, Place::in_cell, sizeof number,
                         std::as_bytes(std::span(&number, 1))) != 0;
    }

    void read(std::size_t reader, const std::vector<Message>& plan) {
        RandomSource random(seed_ + 1 + reader);
        auto& mate = ends_[reader]->its;
        for (std::size_t i = 0; i < plan.size(); ++i) {
            if ((plan[i].audience >> reader & 1) == 0) continue;
            if (random.one_in(10)) mate.look();  // so that some come early
            if (random.one_in(30)) std::this_thread::yield();
            carpool::shared::Expectation next{address};
            mate.expect(next);
            for (; !next.met.load(std::memory_order_acquire); mate.look())
                std::this_thread::yield();
            std::int64_t number = -1;
            std::memcpy(&number, next.letter.content, sizeof number);
            wrong_ += number != static_cast<std::int64_t>(i) ? 1U : 0U;
            mate.release(next.letter);
        }
    }

    std::uint64_t seed_;
    std::unique_ptr<carpool::shared::Household> home_ =
        carpool::shared::Household::create(std::size_t{1} << 20);
    std::array<std::unique_ptr<End>, readers> ends_;
    std::atomic<std::size_t> wrong_ = 0;
};
