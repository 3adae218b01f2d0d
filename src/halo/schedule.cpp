// SPDX-License-Identifier: MIT
#include "halo/schedule.hpp"

namespace carpool::halo {
namespace {

using schedule::Slot;

std::vector<schedule::Part> part(Slot slot, const std::vector<Box>& boxes, std::int64_t bytes) {
    if (boxes.empty() || bytes == 0) return {};
    return {{slot, cells_of(boxes) * bytes}};
}

}  // namespace

schedule::Schedule schedule_of(std::span<const BoxTransfer> transfers, int rank,
                               std::int64_t bytes_per_cell) {
    schedule::Schedule schedule;
    schedule.send_slots = static_cast<int>(transfers.size());
    schedule.recv_slots = schedule.send_slots;
    for (int i = 0; i < schedule.send_slots; ++i) {
        const auto& transfer = transfers[static_cast<std::size_t>(i)];
        const Slot sent{Slot::Kind::send, i};
        const Slot received{Slot::Kind::recv, i};
        schedule::Round round{transfer.phase,
                              {transfer.to, part(sent, transfer.send, bytes_per_cell)},
                              {transfer.from, part(received, transfer.receive, bytes_per_cell)}};
        if (transfer.to == rank && !round.send.parts.empty()) {
            schedule.copies.push_back({sent, received, round.send.parts.front().bytes});
            round.send.parts.clear();
            round.receive.parts.clear();
        }
        schedule.rounds.push_back(std::move(round));
        if (transfer.after.empty() || bytes_per_cell == 0) continue;
        auto& await = schedule.awaits.emplace_back(schedule::Await{i, {}});
        for (const int before : transfer.after) await.slots.push_back({Slot::Kind::recv, before});
    }
    return schedule;
}

}  // namespace carpool::halo
