// SPDX-License-Identifier: MIT
#include "schedule/place_itinerary.hpp"

#include "schedule/message_rounds.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

using routing::Itinerary;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Makes the schedule of an itinerary. Blocks without bytes are left out.
/// @tparam BytesAt  the size of the block at a stop
template <typename BytesAt>
class Placement {
public:
    Placement(const Itinerary& itinerary, BytesAt bytes_at)
        : itinerary_(itinerary), bytes_at_(bytes_at), slots_(index(itinerary.stops()), nowhere) {
        for (int stop = 0; stop < itinerary.blocks(); ++stop)
            slots_[index(stop)] = {Slot::Kind::send, stop};
        for (const auto& [stop, position] : itinerary.deliveries())
            if (slots_[index(stop)] == nowhere) slots_[index(stop)] = {Slot::Kind::recv, position};
        for (std::size_t stop = 0; stop < slots_.size(); ++stop) {
            if (slots_[stop] != nowhere) continue;
            slots_[stop].position = static_cast<int>(temp_blocks_.size());
            temp_blocks_.push_back(itinerary.label(static_cast<int>(stop)));
        }
    }

    void run(Schedule& schedule) const {
        schedule.temp_slots = static_cast<int>(temp_blocks_.size());
        schedule.temp_blocks = temp_blocks_;
        schedule.rounds = rounds();
        schedule.copies = copies();
    }

private:
    static constexpr Slot nowhere{Slot::Kind::temp, -1};

    std::vector<Round> rounds() const {
        const auto loaded = [this](const CombinedMessage& combined) {
            Message message{combined.peer, {}};
            message.parts.reserve(combined.stops.size());
            for (const int stop : combined.stops)
                if (const auto bytes = bytes_at_(stop); bytes > 0)
                    message.parts.push_back({slots_[index(stop)], bytes});
            return message;
        };
        return rounds_of(itinerary_.sends(), itinerary_.receives(), loaded, loaded);
    }

    std::vector<Copy> copies() const {
        std::vector<Copy> copies;
        for (const auto& [stop, position] : itinerary_.deliveries()) {
            const Slot to{Slot::Kind::recv, position};
            const auto bytes = bytes_at_(stop);
            if (slots_[index(stop)] != to && bytes > 0)
                copies.push_back({slots_[index(stop)], to, bytes});
        }
        return copies;
    }

    const Itinerary& itinerary_;
    BytesAt bytes_at_;
    std::vector<Slot> slots_;
    std::vector<int> temp_blocks_;  // per temporary slot, the label of its block
};

/// An itinerary run backwards: what it received is sent, what it sent is received and summed.
class BackwardPlacement {
public:
    BackwardPlacement(const Itinerary& itinerary, Operation operation, int phases,
                      std::int64_t bytes)
        : itinerary_(itinerary),
          phases_(phases),
          bytes_(bytes),
          summands_(index(itinerary.stops())) {
        for (const auto& [stop, position] : itinerary.deliveries())
            summands_[index(stop)].push_back(
                {Slot::Kind::send, sends_one_block(operation) ? 0 : position});
    }

    void run(Schedule& schedule) {
        const int last = phases_ - 1;
        auto sends = reversed(itinerary_.receives(), last);
        auto receives = reversed(itinerary_.sends(), last);
        for (const auto& combined : receives) arrivals_.push_back(arrivals_of(combined));
        add_result(schedule);
        std::size_t next = 0;
        schedule.rounds = rounds_of(
            sends, receives,
            [&](const CombinedMessage& combined) {
                Message message{combined.peer, {}};
                for (const int stop : combined.stops)
                    message.parts.push_back({sum_of(stop, schedule), bytes_});
                return message;
            },
            [&](const CombinedMessage& combined) {
                return Message{combined.peer, std::move(arrivals_[next++])};
            });
        schedule.temp_slots = temps_;
    }

private:
    static constexpr Slot result{Slot::Kind::recv, 0};

    std::vector<Part> arrivals_of(const CombinedMessage& combined) {
        std::vector<Part> parts;
        for (const int stop : combined.stops) {
            const Slot slot = is_only_one(stop) ? result : Slot{Slot::Kind::temp, temps_++};
            summands_[index(stop)].push_back(slot);
            parts.push_back({slot, bytes_});
        }
        return parts;
    }

    /// Whether the only summand of this stop is the result.
    bool is_only_one(int stop) const {
        if (stop != 0 || !summands_[0].empty()) return false;
        int messages = 0;
        for (const auto& combined : itinerary_.sends())
            messages +=
                static_cast<int>(std::count(combined.stops.begin(), combined.stops.end(), 0));
        return messages == 1;
    }

    /// The slot of the sum of a stop; a single summand is its own sum.
    Slot sum_of(int stop, Schedule& schedule) {
        auto& of = summands_[index(stop)];
        if (of.size() == 1) return of.front();
        const Slot sum{Slot::Kind::temp, temps_++};
        schedule.sums.push_back({std::move(of), sum, bytes_});
        of = {sum};
        return sum;
    }

    void add_result(Schedule& schedule) {
        auto& of = summands_[0];
        if (of.size() > 1)
            schedule.sums.push_back({std::move(of), result, bytes_});
        else if (of.size() == 1 && of.front() != result)
            schedule.copies.push_back({of.front(), result, bytes_});
    }

    const Itinerary& itinerary_;
    int phases_;
    std::int64_t bytes_;
    std::vector<std::vector<Slot>> summands_;  // per stop
    std::vector<std::vector<Part>> arrivals_;  // per receive
    int temps_ = 0;
};

}  // namespace

Schedule place(const Itinerary& itinerary, Operation operation, const topology::Adjacency& edges,
               std::int64_t phases, std::span<const std::int64_t> bytes) {
    Schedule schedule;
    schedule.send_slots = sends_one_block(operation) ? 1 : static_cast<int>(edges.out.size());
    schedule.recv_slots = reduces(operation) ? 1 : static_cast<int>(edges.in.size());
    if (std::all_of(bytes.begin(), bytes.end(), [](auto block) { return block == 0; }))
        return schedule;
    if (reduces(operation))
        BackwardPlacement(itinerary, operation, static_cast<int>(phases), bytes.front())
            .run(schedule);
    else
        Placement(itinerary, [&](int stop) {
            return bytes.size() == 1 ? bytes.front() : bytes[index(itinerary.label(stop))];
        }).run(schedule);
    return schedule;
}

Schedule place_sized(const Itinerary& itinerary, int positions, std::int64_t unit) {
    Schedule schedule;
    schedule.send_slots = itinerary.blocks();
    schedule.recv_slots = positions;
    if (unit > 0)
        Placement(itinerary, [&](int stop) { return unit * itinerary.bytes(stop); }).run(schedule);
    return schedule;
}

}  // namespace carpool::schedule
