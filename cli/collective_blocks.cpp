// SPDX-License-Identifier: MIT
#include "collective_blocks.hpp"

namespace cli {

using namespace carpool;

const CollectiveBlocks::Rank& CollectiveBlocks::at(int rank) {
    const auto [found, fresh] = ranks_.try_emplace(rank);
    if (!fresh) return found->second;
    auto& traced = found->second;
    std::map<int, std::size_t> received;
    const auto schedule = collectives::schedule_of(algorithm_, problem_, rank);
    for (const auto& [phase, send, receive] : schedule.rounds) {
        if (!send.parts.empty()) {
            auto& slots = traced.sent[send.peer].emplace_back();
            for (const auto& part : send.parts) slots.push_back(part.slot);
        }
        if (receive.parts.empty()) continue;
        const auto message = received[receive.peer]++;
        for (std::size_t i = 0; i < receive.parts.size(); ++i) {
            const auto& slot = receive.parts[i].slot;
            traced.arrivals[{slot.kind, slot.position}] = {receive.peer, message, i};
        }
    }
    for (const auto& copy : schedule.copies)
        traced.copies[{copy.to.kind, copy.to.position}] = copy.from;
    return traced;
}

CollectiveBlocks::Origin CollectiveBlocks::origin(int rank, Slot slot) {
    while (slot.kind != Slot::Kind::send) {
        const auto& here = at(rank);
        const Key key{slot.kind, slot.position};
        if (const auto copy = here.copies.find(key); copy != here.copies.end()) {
            slot = copy->second;
            continue;
        }
        const auto& [peer, message, part] = here.arrivals.at(key);
        slot = at(peer).sent.at(rank)[message][part];
        rank = peer;
    }
    return {rank, slot.position};
}

}  // namespace cli
