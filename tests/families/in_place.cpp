// SPDX-License-Identifier: MIT
#include "in_place.hpp"

namespace families {

carpool::schedule::Schedule in_place(carpool::schedule::Schedule schedule, int sent, int received) {
    using carpool::schedule::Slot;
    const Slot own{Slot::Kind::send, sent};
    const Slot place{Slot::Kind::recv, received};
    const auto turn = [&](Slot& slot) {
        if (slot == place) slot = own;
    };
    std::erase_if(schedule.copies,
                  [&](const auto& copy) { return copy.from == own && copy.to == place; });
    for (auto& round : schedule.rounds)
        for (auto& part : round.send.parts) turn(part.slot);
    for (auto& copy : schedule.copies) turn(copy.from);
    for (auto& sum : schedule.sums)
        for (auto& slot : sum.of) turn(slot);
    return schedule;
}

}  // namespace families
