// SPDX-License-Identifier: MIT
// Messages through the ring of a mailbox.

#include "ends.hpp"
#include "scenarios.hpp"

namespace carpool::model {
namespace {

using shared::Acks;

constexpr auto ring = static_cast<std::int64_t>(Acks::entries);

/// The ring has been used once, so that its entries are written over.
void a_ring_that_is_used_again(Run& run) {
    Ends ends;
    for (std::int64_t value = 0; value < ring - 1; ++value) {
        send_all(ends.sender, value, value + 1);
        receive_all(ends.receiver, value, value + 1);
    }
    run.processes({[&] { send_all(ends.sender, ring - 1, ring + 2); },
                   [&] { receive_all(ends.receiver, ring - 1, ring + 2); }});
}

/// All entries but one have messages that have not been read.
void a_ring_that_is_full(Run& run) {
    Ends ends;
    send_all(ends.sender, 0, ring - 1);
    run.processes({[&] { send_all(ends.sender, ring - 1, ring + 1); },
                   [&] { receive_all(ends.receiver, 0, 3); }});
}

/// Both send and receive.
void messages_both_ways(Run& run) {
    Ends ends;
    run.processes({[&] {
                       send_all(ends.sender, 0, 2);
                       receive_all(ends.sender, 10, 12);
                   },
                   [&] {
                       send_all(ends.receiver, 10, 12);
                       receive_all(ends.receiver, 0, 2);
                   }});
}

/// Messages for which no receive is posted wait in the ring, and are copied out of it when others
/// need their entries.
void messages_that_nobody_expects(Run& run) {
    Ends ends;
    send_all(ends.sender, 0, ring - 1);
    run.processes({[&] { send_all(ends.sender, ring - 1, ring + 2); },
                   [&] {
                       await([&] {
                           ends.receiver.poll();
                           return ends.receiver.has_unexpected();
                       });
                       receive_all(ends.receiver, 0, 2);
                   }});
}

/// A receive is withdrawn while its message may come: that message is lost, or goes to the next.
void a_receive_that_is_withdrawn(Run& run) {
    Ends ends;
    run.processes({[&] { send_all(ends.sender, 0, 3); },
                   [&] {
                       shared::PostedReceive first{here};
                       ends.receiver.post(first);
                       ends.receiver.poll();
                       const bool lost = first.matched.load(std::memory_order_acquire);
                       ends.receiver.cancel(first);
                       receive_all(ends.receiver, lost ? 1 : 0, 3);
                   }});
}

}  // namespace

std::vector<NamedScenario> mailbox_scenarios() {
    return {{"mailbox: a ring that is used again", a_ring_that_is_used_again, {}},
            {"mailbox: a ring that is full", a_ring_that_is_full, {}},
            {"mailbox: messages both ways", messages_both_ways, {}},
            {"mailbox: messages that nobody expects", messages_that_nobody_expects, {}},
            {"mailbox: a receive that is withdrawn", a_receive_that_is_withdrawn, {}},
            {"mailbox: a process is killed", a_ring_that_is_full, {1, 1, 1}}};
}

}  // namespace carpool::model
