// SPDX-License-Identifier: MIT
#include "schedule/place_reduction.hpp"

#include "schedule/message_rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

using routing::Itinerary;

/// A block that is added, and the rank from which it comes.
struct Summand {
    int rank;
    Slot slot;
};

/// A multicast run backwards: what it received is sent, what it sent is received and summed.
class BackwardMulticast {
public:
    BackwardMulticast(const Itinerary& itinerary, int rank, int positions, SummandOrder summing)
        : itinerary_(itinerary),
          rank_(rank),
          positions_(positions),
          summing_(summing),
          summands_(static_cast<std::size_t>(itinerary.stops())) {
        for (const auto& [stop, position] : itinerary.deliveries())
            of(stop).push_back({rank, {Slot::Kind::send, position}});
    }

    Schedule schedule(int phases) {
        schedule_.send_slots = positions_ + itinerary_.blocks();
        schedule_.recv_slots = itinerary_.blocks();
        const auto sends = reversed(itinerary_.receives(), phases - 1);
        const auto receives = reversed(itinerary_.sends(), phases - 1);
        std::vector<Message> arriving;
        for (const auto& combined : receives) arriving.push_back(arriving_by(combined));
        std::size_t next = 0;
        schedule_.rounds = rounds_of(
            sends, receives,
            [this](const CombinedMessage& combined) { return leaving_by(combined); },
            [&](const CombinedMessage&) { return std::move(arriving[next++]); });
        for (int block = 0; block < itinerary_.blocks(); ++block) add_result(block);
        return std::move(schedule_);
    }

private:
    std::vector<Summand>& of(int stop) { return summands_[static_cast<std::size_t>(stop)]; }

    Slot new_temp() { return {Slot::Kind::temp, schedule_.temp_slots++}; }

    /// What the multicast sends by this message, its backward run receives.
    Message arriving_by(const CombinedMessage& combined) {
        Message message{combined.peer, {}};
        for (const int stop : combined.stops) {
            message.parts.push_back({new_temp(), itinerary_.bytes(stop)});
            of(stop).push_back({combined.peer, message.parts.back().slot});
        }
        return message;
    }

    Message leaving_by(const CombinedMessage& combined) {
        Message message{combined.peer, {}};
        for (const int stop : combined.stops)
            message.parts.push_back({sum_at(stop), itinerary_.bytes(stop)});
        return message;
    }

    /// The sum of what comes to a stop; a single summand is its own sum.
    Slot sum_at(int stop) {
        if (of(stop).size() == 1) return of(stop).front().slot;
        return sum_of(std::nullopt, std::move(of(stop)), itinerary_.bytes(stop));
    }

    void add_result(int block) {
        if (of(block).empty()) return;
        const auto bytes = itinerary_.bytes(block);
        add_up_here(of(block), bytes);
        const Slot own{Slot::Kind::send, positions_ + block};
        const auto sum = sum_of(own, std::move(of(block)), bytes);
        schedule_.copies.push_back({sum, {Slot::Kind::recv, block}, bytes});
    }

    /// Adds this rank's own summands up, as other ranks do with theirs before they send them.
    void add_up_here(std::vector<Summand>& summands, std::int64_t bytes) {
        const auto others =
            std::stable_partition(summands.begin(), summands.end(),
                                  [this](const Summand& one) { return one.rank == rank_; });
        if (others - summands.begin() < 2) return;
        const auto sum = sum_of(std::nullopt, {summands.begin(), others}, bytes);
        summands.erase(summands.begin(), others);
        summands.push_back({rank_, sum});
    }

    /// The operator's last operand is copied and may be any slot; the others are overwritten and
    /// must be temporary. An operator that commutes begins with the first summand.
    Slot sum_of(std::optional<Slot> own, std::vector<Summand> summands, std::int64_t bytes) {
        std::ranges::stable_sort(summands, {}, &Summand::rank);
        std::vector<Slot> slots;
        if (own) slots.push_back(*own);
        for (const auto& summand : summands) slots.push_back(summand.slot);
        if (summing_ == SummandOrder::commuting) std::ranges::reverse(slots);
        for (std::size_t i = 0; i + 1 < slots.size(); ++i) slots[i] = temp_of(slots[i], bytes);
        const auto sum = new_temp();
        schedule_.sums.push_back({std::move(slots), sum, bytes});
        return sum;
    }

    /// The temporary slot with that block.
    Slot temp_of(Slot slot, std::int64_t bytes) {
        if (slot.kind == Slot::Kind::temp) return slot;
        const auto copy = new_temp();
        schedule_.copies.push_back({slot, copy, bytes});
        return copy;
    }

    const Itinerary& itinerary_;
    int rank_;
    int positions_;
    SummandOrder summing_;
    std::vector<std::vector<Summand>> summands_;  // per stop
    Schedule schedule_;
};

}  // namespace

Schedule place_reduction(const Itinerary& itinerary, int rank, int positions, int phases,
                         SummandOrder summing) {
    return BackwardMulticast(itinerary, rank, positions, summing).schedule(phases);
}

}  // namespace carpool::schedule
