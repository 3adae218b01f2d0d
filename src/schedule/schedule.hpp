#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::schedule {

/// A place for one block: in the user's send or receive buffer, or in between.
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

/// One message of this rank: its parts lie in the order given, alike on both ends.
struct Message {
    int peer;
    std::vector<Part> parts;

    /// A number ahead of the parts for each of them says how long it is: any length up to what it
    /// has room for here. A longer one has its number only, and another message that is apart.
    bool length_header = false;

    /// Of what a length header has told, to the same slots: not matched among the other messages of
    /// its two ranks, but only among those that are apart. Nothing reads these slots from there.
    bool rendezvous = false;
};

/// What a rank sends and receives in one round; no parts, no message.
struct Round {
    int phase;
    Message send;
    Message receive;
};

/// A block that stays on this rank, copied when its source is there.
struct Copy {
    Slot from;
    Slot to;
    std::int64_t bytes;
};

/// The sum of several blocks by an operator, in the order given; made when all of them are there.
struct Sum {
    std::vector<Slot> of;
    Slot to;
    std::int64_t bytes;
    int op = 0;  ///< which, where there are several
};

/// A send slot that names memory which receives fill: it may be read once these have come.
struct Await {
    int send_slot;
    std::vector<Slot> slots;
};

/// All that one rank does in one exchange.
///
/// Rounds are in ascending order of phase; both ends of a message have it in the same phase. Every
/// slot is written at most once (but see Message::rendezvous), so all receives may be posted at the
/// start, and a message may leave as soon as its parts are there, whatever else has or has not
/// arrived. Messages from one rank to another are matched in the order of their rounds.
struct Schedule {
    int send_slots = 0;
    int recv_slots = 0;
    int temp_slots = 0;
    std::vector<Round> rounds;
    std::vector<Copy> copies;
    std::vector<Sum> sums;
    std::vector<Await> awaits;

    /// Per temporary slot, whose block rests there: that of a rank or, where one block is cut, a
    /// piece. Empty in neighborhoods.
    std::vector<int> temp_blocks = {};
};

std::int64_t bytes_of(const Message& message);
std::int64_t messages_sent(const Schedule& schedule);
std::int64_t blocks_sent(const Schedule& schedule);
std::int64_t bytes_sent(const Schedule& schedule);

/// How many operators its sums name: one more than the last.
int operators(const Schedule& schedule);

/// Has it messages of their own for blocks that are long?
bool has_rendezvous_messages(const Schedule& schedule);

}  // namespace carpool::schedule
