// SPDX-License-Identifier: MIT
// Multicasts, which a process writes once for several others.

#include "ends.hpp"
#include "scenarios.hpp"
#include "shared/multicast_ring.hpp"

#include <array>

namespace carpool::model {
namespace {

using shared::Acks;

constexpr auto ring = static_cast<std::int64_t>(Acks::entries);

/// A writer and two readers.
struct Fan {
    shared::Memory& memory = memory_of(std::size_t{1} << 18);
    std::unique_ptr<shared::MulticastRing> multicasts = shared::MulticastRing::open(memory);
    const shared::MulticastEntries* slots =
        reinterpret_cast<const shared::MulticastEntries*>(memory.at(multicasts->offset()));
    Ends first{memory.whole(), slots, 0};
    Ends second{memory.whole(), slots, 70};  // its bit is in another word

    const shared::MulticastRing::ReaderSet* to_second = multicasts->reader_set({&second.sender});
    const shared::MulticastRing::ReaderSet* to_both =
        multicasts->reader_set({&first.sender, &second.sender});
    const shared::MulticastRing::ReaderSet* to_first() {
        return multicasts->reader_set({&first.sender});
    }

    void write(const shared::MulticastRing::ReaderSet* readers, std::int64_t value) {
        await([&] {
            return multicasts->write(*readers, here, shared::ContentPlace::in_entry,
                                     [&](std::byte* entry) {
                                         std::memcpy(entry, &value, sizeof value);
                                         return std::int64_t{sizeof value};
                                     }) != 0;
        });
    }
};

void two_readers(Run& run) {
    Fan fan;
    fan.to_first();
    run.processes({[&] {
                       fan.write(fan.to_both, 0);
                       fan.write(fan.to_first(), 1);
                   },
                   [&] { receive_all(fan.first.receiver, 0, 2); },
                   [&] { receive_all(fan.second.receiver, 0, 1); }});
}

/// The first reader has not looked yet, while all entries are written over for the other one.
void a_reader_that_is_late(Run& run) {
    Fan fan;
    for (std::int64_t value = 0; value < ring; ++value) {
        fan.write(fan.to_second, value);
        receive_all(fan.second.receiver, value, value + 1);
    }
    run.processes({[&] {
                       fan.write(fan.to_second, ring);
                       fan.write(fan.to_first(), 0);
                   },
                   [&] { receive_all(fan.first.receiver, 0, 1); }});
}

/// The writer may overwrite an entry only when both have read it.
void a_ring_that_is_full(Run& run) {
    Fan fan;
    for (std::int64_t value = 0; value < ring; ++value) fan.write(fan.to_both, value);
    receive_all(fan.second.receiver, 0, ring);
    run.processes(
        {[&] { fan.write(fan.to_first(), ring); }, [&] { receive_all(fan.first.receiver, 0, 2); }});
}

/// A message to one reader comes after the multicasts before it, and before those after it.
void messages_between_multicasts(Run& run) {
    Fan fan;
    run.processes({[&] {
                       fan.write(fan.to_both, 0);
                       send_all(fan.first.sender, 1, 2);
                       fan.write(fan.to_first(), 2);
                   },
                   [&] { receive_all(fan.first.receiver, 0, 2); }});
}

/// Bits of a new reader set are written while the reader looks at older multicasts.
void a_reader_set_that_is_new(Run& run) {
    Fan fan;
    run.processes({[&] {
                       fan.write(fan.to_second, 5);
                       fan.write(fan.to_first(), 0);  // which makes the set
                       fan.write(fan.to_both, 1);
                   },
                   [&] { receive_all(fan.first.receiver, 0, 2); }});
}

}  // namespace

std::vector<NamedScenario> multicast_scenarios() {
    return {{"multicast: two readers", two_readers, {1, 1, 0}},
            {"multicast: a reader that is late", a_reader_that_is_late, {}},
            {"multicast: a ring that is full", a_ring_that_is_full, {}},
            {"multicast: messages in between", messages_between_multicasts, {}},
            {"multicast: a reader set that is new", a_reader_set_that_is_new, {}},
            {"multicast: a process is killed", two_readers, {0, 1, 1}}};
}

}  // namespace carpool::model
