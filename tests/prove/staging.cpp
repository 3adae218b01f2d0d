// SPDX-License-Identifier: MIT
// Messages in staging buffers, which are used again when they have been read.

#include "ends.hpp"
#include "scenarios.hpp"
#include "shared/staging_pool.hpp"

#include <optional>

namespace carpool::model {
namespace {

constexpr std::size_t words = 4;

/// A sender whose memory has room for a few buffers.
struct Stage {
    shared::Memory& memory = memory_of(4096);
    shared::StagingPool pool{memory};
    Ends ends{memory.whole()};
    std::optional<shared::StagingPool::Use> earlier = {};

    /// Stages a message, in the buffer of the one before if that is asked for.
    void send(std::int64_t value, bool same) {
        shared::StagingPool::TakeResult taken;
        await([&] {
            taken = pool.take(words * sizeof value, same ? earlier : std::nullopt);
            return taken.buffer.has_value();
        });
        auto* const content = pool.at(*taken.buffer);
        for (std::size_t i = 0; i < words; ++i)
            std::memcpy(content + i * sizeof value, &value, sizeof value);
        std::uint64_t number = 0;
        await([&] {
            number = ends.sender.send_staged(here, words * sizeof value, (*taken.buffer)->offset);
            return number != 0;
        });
        (*taken.buffer)->pending_reads.push_back({&ends.sender, number});
        earlier = pool.give_back(*taken.buffer);
    }

    void receive(std::int64_t value) {
        shared::PostedReceive next{here};
        ends.receiver.post(next);
        await([&] {
            ends.receiver.poll();
            return next.matched.load(std::memory_order_acquire);
        });
        for (std::size_t i = 0; i < words; ++i) {
            std::int64_t found = 0;
            std::memcpy(&found, next.envelope.content + i * sizeof found, sizeof found);
            check(found == value, "staged content is what was sent");
        }
        ends.receiver.release(next.envelope);
    }
};

void one_buffer(Run& run) {
    Stage stage;
    run.processes({[&] {
                       for (std::int64_t value = 0; value < 3; ++value) stage.send(value, true);
                   },
                   [&] {
                       for (std::int64_t value = 0; value < 3; ++value) stage.receive(value);
                   }});
}

void any_buffer(Run& run) {
    Stage stage;
    run.processes({[&] {
                       for (std::int64_t value = 0; value < 3; ++value) stage.send(value, false);
                   },
                   [&] {
                       for (std::int64_t value = 0; value < 3; ++value) stage.receive(value);
                   }});
}

}  // namespace

std::vector<NamedScenario> staging_scenarios() {
    return {{"staging: one buffer again and again", one_buffer, {}},
            {"staging: any buffer that is free", any_buffer, {}},
            {"staging: a process is killed", one_buffer, {1, 1, 1}}};
}

}  // namespace carpool::model
