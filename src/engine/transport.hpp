// SPDX-License-Identifier: MIT
#pragma once

#include "engine/shared_use.hpp"
#include "engine/staging.hpp"
#include "engine/transfer.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// The messages of a schedule, or those of them that one transport carries, in the order of their
/// rounds. Messages from one rank to another share a tag and are matched in that order.
///
/// The transfers outlive the messages that are made of the list. If the list has no tag, they may
/// be filled with other memory and other lengths between two starts; Messages::filled() then
/// follows.
struct TransferList {
    std::vector<const Transfer*> receives;
    std::vector<int> order;  ///< per receive, its place in the order of watching
    std::vector<const Transfer*> sends;
    std::optional<int> tag = {};  ///< the tag of all starts, if fixed: more is set up beforehand
    bool checked = false;         ///< sizes are not agreed upon: messages may differ from receives
    bool summed = false;          ///< the content of messages is added to other blocks
};

/// How a transport reaches a rank.
struct Reach {
    /// A message of several pieces is assembled before it is sent if it has at most so many bytes;
    /// a longer one is sent as TypedPieces, if that costs less.
    std::int64_t packs_to = 0;

    /// A message of at most so many bytes may come as bytes in the other end's memory, so it is
    /// received into contiguous memory; only a longer one is received as TypedPieces.
    std::int64_t unpacks_to = packs_to;

    bool needs_tests = true;  ///< messages move only in tests, so others depend on these
    bool tells_ack = false;   ///< a send can be made to end only when its target receives it
};

/// A message that has arrived and matches no posted receive.
struct UnexpectedMessage {
    int source = 0;
    std::span<std::byte> bytes = {};  ///< within `memory`
    Staging memory = {};
    std::size_t receive = 0;  ///< its number among the receives
};

/// What a rank has sent that matches no posted receive.
struct UnexpectedTag {
    std::optional<int> tag = {};  ///< the tag of the first message
    bool unseen = false;          ///< there may be others, which cannot be probed yet
};

/// A means by which the ranks of one communicator exchange messages. To add one, implement this
/// class and its Messages. What all transports share lies outside: the choice of a transport for a
/// message (Transports), the messages of a schedule that uses several transports (Transfers), and
/// the numbers of messages that are sent one by one (LooseMessages).
class Transport {
public:
    class Messages;

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    /// How it reaches that rank; nothing if it does not. The same at both ends.
    virtual std::optional<Reach> reach(int peer) const = 0;

    /// Memory for a message to or from that rank.
    virtual Staging staging(int peer, std::int64_t bytes) const = 0;

    /// The messages of a list, which may be empty, all to and from ranks that the transport
    /// reaches. They may outlive the transport.
    virtual std::unique_ptr<Messages> messages(TransferList list) const = 0;

    /// What that rank has sent that matches no posted receive.
    virtual UnexpectedTag unexpected_from(int rank) const = 0;
};

/// Messages that are under way together: those of a list, bound once and started often, or those
/// that are added to an empty list, all sends or all receives. Each has a place: receives come
/// first, in the order of watching, then the sends. An added message gets the next place. No
/// function here waits, and a start and a test allocate nothing. Tests throw MPI_ERR_ARG if a
/// checked message is longer or shorter than its receive.
class Transport::Messages {
public:
    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    virtual ~Messages() = default;

    /// Decides anew how messages are carried, since transfers of the list have been filled with
    /// other memory. Their peers and contents have not changed, nor has which of them are
    /// rendezvous messages.
    /// @pre none is under way
    virtual void filled() {}

    /// Posts all receives of the list.
    /// @param tag  the tag of this start
    /// @pre none is under way
    virtual void post(int tag) = 0;

    /// Assembles a send of the list and sends it under the tag of post(). @pre post
    virtual void launch(std::size_t send) = 0;

    /// Adds a send of bytes that stay in place until it has ended.
    /// @param synchronous  the send ends only when the target receives it. @pre Reach::tells_ack
    virtual void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) = 0;

    /// Adds a receive of at most so many bytes, into memory that stays in place.
    virtual void receive(int source, int tag, std::span<std::byte> bytes) = 0;

    /// Adds a receive of the next message with that tag from any rank; nothing if none has come.
    virtual std::optional<UnexpectedMessage> probe(int tag) = 0;

    /// The places of those of the first `count` receives that have ended since the last call.
    /// @param ended  has room for all
    virtual std::span<const int> test_some(int count, std::span<int> ended) = 0;

    /// Whether all messages at the places first .. end - 1 have ended. test_some() may omit them
    /// afterwards.
    virtual bool test_all(int first, int end) = 0;

    /// Whether the message at that place has ended, as of the last test.
    virtual bool has_ended(int place) const = 0;

    /// Gives up what is under way: nothing more is written to the memory of receives. Sends that
    /// nobody receives may still read theirs. Added messages are forgotten.
    virtual void withdraw() = 0;

    /// How much shared memory the messages use.
    const SharedUse& shared_use() const { return shared_use_; }

protected:
    SharedUse shared_use_;
};

}  // namespace carpool::engine
