// SPDX-License-Identifier: MIT
#include "schedule/place.hpp"

#include "schedule/presence.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The slot of each stop. A block that is delivered to several positions lies at the first of them.
std::vector<Slot> slots_of(const routing::Plan& plan) {
    constexpr Slot nowhere{Slot::Kind::temp, -1};
    std::vector<Slot> slots(index(plan.stops()), nowhere);
    for (int stop = 0; stop < plan.blocks(); ++stop) slots[index(stop)] = {Slot::Kind::send, stop};
    for (const auto& [stop, position] : plan.deliveries())
        if (slots[index(stop)] == nowhere) slots[index(stop)] = {Slot::Kind::recv, position};
    int temps = 0;
    for (auto& slot : slots)
        if (slot == nowhere) slot.position = temps++;
    return slots;
}

/// Makes the parts of one rank's schedule from a plan.
class Placement {
public:
    Placement(const routing::Plan& plan, const topology::Grid& grid,
              const topology::Neighborhood& neighborhood, int rank,
              std::span<const std::int64_t> block_bytes)
        : plan_(plan),
          grid_(grid),
          coordinates_(grid.coordinates(rank)),
          presence_(plan, grid, neighborhood, coordinates_),
          slots_(slots_of(plan)),
          block_of_stops_(plan.block_of_stops()),
          block_bytes_(block_bytes) {}

    int temp_slots() const {
        return static_cast<int>(std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) {
            return slot.kind == Slot::Kind::temp;
        }));
    }

    /// The block that lies in each temporary slot.
    std::vector<int> temp_blocks() const {
        std::vector<int> blocks(index(temp_slots()));
        for (std::size_t stop = 0; stop < slots_.size(); ++stop)
            if (slots_[stop].kind == Slot::Kind::temp)
                blocks[index(slots_[stop].position)] = block_of_stops_[stop];
        return blocks;
    }

    Round round(int r) const {
        Round round{plan_.phase(r),
                    {grid_.rank_at(coordinates_, plan_.hop(r)), {}},
                    {grid_.rank_at(coordinates_, plan_.hop(r), -1), {}}};
        const auto moves = index(plan_.first_stop(r + 1) - plan_.first_stop(r));
        round.send.parts.reserve(moves);
        round.receive.parts.reserve(moves);
        for (int stop = plan_.first_stop(r); stop < plan_.first_stop(r + 1); ++stop) {
            const auto bytes = bytes_at(stop);
            if (bytes == 0) continue;
            if (presence_.leaves(stop))
                round.send.parts.push_back({slots_[index(plan_.from(stop))], bytes});
            if (presence_.arrives(stop))
                round.receive.parts.push_back({slots_[index(stop)], bytes});
        }
        return round;
    }

    /// Copies of blocks that never leave their rank, and of blocks that are delivered again.
    std::vector<Copy> copies() const {
        std::vector<Copy> copies;
        for (const auto& [stop, position] : plan_.deliveries()) {
            const Slot from = slots_[index(stop)];
            const Slot to{Slot::Kind::recv, position};
            if (from != to && bytes_at(stop) > 0 && presence_.arrives(stop))
                copies.push_back({from, to, bytes_at(stop)});
        }
        return copies;
    }

private:
    std::int64_t bytes_at(int stop) const {
        return block_bytes_[index(block_of_stops_[index(stop)])];
    }

    const routing::Plan& plan_;
    const topology::Grid& grid_;
    std::vector<int> coordinates_;
    Presence presence_;
    std::vector<Slot> slots_;
    std::vector<int> block_of_stops_;
    std::span<const std::int64_t> block_bytes_;
};

}  // namespace

Schedule place(const routing::Plan& plan, const topology::Grid& grid,
               const topology::Neighborhood& neighborhood, int rank,
               std::span<const std::int64_t> block_bytes) {
    const Placement placement(plan, grid, neighborhood, rank, block_bytes);
    Schedule schedule;
    schedule.send_slots = plan.blocks();
    schedule.recv_slots = neighborhood.size();
    schedule.temp_slots = placement.temp_slots();
    schedule.temp_blocks = placement.temp_blocks();
    schedule.rounds.reserve(index(plan.rounds()));
    for (int r = 0; r < plan.rounds(); ++r) schedule.rounds.push_back(placement.round(r));
    schedule.copies = placement.copies();
    return schedule;
}

}  // namespace carpool::schedule
