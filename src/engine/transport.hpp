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

/// What a schedule asks of a transport: its messages, in the order of their rounds. Those from one
/// rank to another share a tag and are matched in that order.
struct TransferList {
    std::vector<Transfer> receives;
    std::vector<int> order;  ///< per receive, the place in which it is watched
    std::vector<Transfer> sends;
    std::optional<int> tag =
        {};                ///< of all starts, if they share one: more may be done before them
    bool checked = false;  ///< nobody has agreed on their sizes: what comes may be another
    bool summed = false;   ///< what comes is added to others
};

/// How a transport reaches a rank.
struct Reach {
    /// A message of several pieces that has at most so many bytes is put together before it is
    /// sent; a longer one comes as TypedPieces, if that costs less. Alike at both ends.
    std::int64_t packs_to = 0;

    bool needs_tests = true;  ///< nothing moves but in tests, so others depend on these
    bool tells_ack = false;   ///< can a send end when its target receives it?
};

/// A message that somebody has sent unasked.
struct UnexpectedMessage {
    int source = 0;
    std::span<std::byte> bytes = {};  ///< in the memory
    Staging memory = {};
    std::size_t receive = 0;  ///< its number among the receives
};

/// What has come from a rank and waits to be asked for.
struct Unexpected {
    std::optional<int> tag = {};  ///< of the first message
    bool unseen = false;          ///< may others be there that cannot be probed yet?
};

/// A way on which ranks of one communicator reach each other. Who adds one writes this class and
/// its Messages. What all share lies outside: which transport a message goes by (Transports), what
/// the messages of a schedule by several of them look like (Transfers), and the numbers of those
/// that are sent one by one (LooseMessages).
class Transport {
public:
    class Messages;

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    /// Nothing if it does not reach that rank. Alike at both ends.
    virtual std::optional<Reach> reach(int peer) const = 0;

    /// Memory for a message to or from that rank.
    virtual Staging staging(int peer, std::int64_t bytes) const = 0;

    /// Those of a list, which may be empty, all to and from ranks that it reaches. They may outlive
    /// the transport.
    virtual std::unique_ptr<Messages> messages(TransferList list) const = 0;

    /// What has come from that rank and nobody has asked for.
    virtual Unexpected unexpected_from(int rank) const = 0;
};

/// Messages that are under way together: those of a list, bound once and started often, or others
/// that are added to an empty one, either sends or receives. Each has a place, receives that in
/// which they are watched, sends the next ones; what is added gets the next place. Nothing here
/// waits, and a start and a test allocate nothing. Tests throw MPI_ERR_ARG where a checked
/// message is longer or shorter than its receive.
class Transport::Messages {
public:
    Messages() = default;
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;
    virtual ~Messages() = default;

    /// From the next start on, a message of the list has other memory, and perhaps another length.
    /// Its peer and content stay, and so does whether it goes apart.
    /// @pre none is under way, and the list has no tag; rebound() follows before a start
    virtual void rebind_receive(std::size_t receive, const Transfer& transfer) = 0;
    virtual void rebind_send(std::size_t send, const Transfer& transfer) = 0;

    /// Ends a rebinding: the transport decides anew how each message goes.
    virtual void rebound() {}

    /// Posts all receives of the list. @param tag  of this start @pre none is under way
    virtual void post(int tag) = 0;

    /// Puts a send of the list together and lets it leave, under the tag of post(). @pre post
    virtual void launch(std::size_t send) = 0;

    /// Adds a send, of bytes that stay where they are until it has ended.
    /// @param synchronous  it ends when the target receives it. @pre Reach::tells_ack
    virtual void send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) = 0;

    /// Adds a receive, of at most so many bytes, into memory that stays.
    virtual void receive(int source, int tag, std::span<std::byte> bytes) = 0;

    /// Adds a receive of the next message of that tag, from whomever; nothing if none has come.
    virtual std::optional<UnexpectedMessage> probe(int tag) = 0;

    /// Which of the first `count` receives have ended since the last call.
    /// @param ended  has room for all
    virtual std::span<const int> test_some(int count, std::span<int> ended) = 0;

    /// Have all at the places first .. end - 1 ended? Those need not be named by test_some().
    virtual bool test_all(int first, int end) = 0;

    /// As the last test has seen it.
    virtual bool has_ended(int place) const = 0;

    /// Gives up what is under way: nothing is written any more to where receives would have put it.
    /// Sends that nobody takes may go on reading. What has been added is forgotten.
    virtual void withdraw() = 0;

    /// What they put into the memory that ranks share.
    const SharedUse& shared_use() const { return shared_use_; }

protected:
    SharedUse shared_use_;
};

}  // namespace carpool::engine
