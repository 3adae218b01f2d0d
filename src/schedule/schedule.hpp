// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::schedule {

/// A place for one block: in the user's send or receive buffer, or in temporary memory.
struct Slot {
    enum class Kind : std::uint8_t { send, recv, temp };
    Kind kind;
    int position;
    friend bool operator==(const Slot&, const Slot&) = default;
};

/// A block in a message, at its place on this rank.
struct Part {
    Slot slot;
    std::int64_t bytes;
    friend bool operator==(const Part&, const Part&) = default;
};

/// One message of this rank, whose parts are in an order that is the same on both ends.
struct Message {
    int peer;
    std::vector<Part> parts;

    /// The message begins with the length of each part, at most `bytes`. A longer block has its
    /// length there only, and a rendezvous message of its own.
    bool length_header = false;

    /// The message carries a long block, whose length a length header told, to the same slots. It
    /// is matched among the rendezvous messages of its two ranks, not among their other messages.
    /// No message forwards the block from there.
    bool rendezvous = false;
};

/// What a rank sends and receives in one round; a side without parts has no message.
struct Round {
    int phase;
    Message send;
    Message receive;
};

/// A block that stays on this rank, copied when its source is filled.
struct Copy {
    Slot from;
    Slot to;
    std::int64_t bytes;
};

/// The sum of several blocks by an operator, in the order given, made when all of them are there.
struct Sum {
    std::vector<Slot> of;
    Slot to;
    std::int64_t bytes;
    int op = 0;  ///< the number of the operator, if there are several
};

/// A send slot whose memory receives fill: it may be read when these slots are filled.
struct Await {
    int send_slot;
    std::vector<Slot> slots;
};

/// All that one rank does in one exchange.
///
/// Rounds are in ascending order of phase; both ends of a message have it in the same phase, but
/// for rendezvous messages, which are in the last phase of each end. Every slot is written at most
/// once (but see Message::rendezvous), so all receives may be posted at the start, and a message
/// may leave as soon as its parts are there, whatever else has or has not arrived. Messages from
/// one rank to another are matched in the order of their rounds.
struct Schedule {
    int send_slots = 0;
    int recv_slots = 0;
    int temp_slots = 0;
    std::vector<Round> rounds;
    std::vector<Copy> copies;
    std::vector<Sum> sums;
    std::vector<Await> awaits;

    /// For each temporary slot, which block it holds: the position of a block of a neighborhood,
    /// the number of a rank, or of a piece if one block is cut. Empty for sums of a neighborhood,
    /// whose blocks have one size.
    std::vector<int> temp_blocks = {};
};

std::int64_t bytes_of(const Message& message);

/// The bytes that a rank copies to put the message together, or to take it apart: none if its
/// parts, in their order, are one piece of memory, as consecutive slots of equal kind are.
std::int64_t copied_bytes(const Message& message);

std::int64_t messages_sent(const Schedule& schedule);
std::int64_t blocks_sent(const Schedule& schedule);
std::int64_t bytes_sent(const Schedule& schedule);

/// How many operators its sums name: one more than the highest number.
int operators(const Schedule& schedule);

/// Whether the schedule has rendezvous messages.
bool has_rendezvous_messages(const Schedule& schedule);

}  // namespace carpool::schedule
