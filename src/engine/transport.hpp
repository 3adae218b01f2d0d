#pragma once

#include "choose/cut_offs.hpp"
#include "engine/shared_use.hpp"
#include "engine/transfer.hpp"
#include "mpi/comm_state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::engine {

/// What a schedule asks of its transport: its messages, in the order of their rounds. Those from
/// one rank to another share a tag and are matched in that order.
struct TransferList {
    std::vector<Transfer> receives;
    std::vector<int> order;  ///< per receive, the place in which it is watched
    std::vector<Transfer> sends;
    bool checked = false;  ///< nobody has agreed on their sizes: what comes may be another
    bool summed = false;   ///< what comes is added to others
};

/// The messages of one schedule, bound once and started often. Nothing here waits or allocates.
/// Tests of checked receives throw MPI_ERR_ARG where a message has another size.
class BoundTransfers {
public:
    BoundTransfers() = default;
    BoundTransfers(const BoundTransfers&) = delete;
    BoundTransfers& operator=(const BoundTransfers&) = delete;
    virtual ~BoundTransfers() = default;

    /// Posts all receives. @param tag  of this start @pre none is under way
    virtual void post(int tag) = 0;

    /// Puts a send together and lets it leave, under the tag of post(). @pre post
    virtual void launch(std::size_t send) = 0;

    /// Which of the first `count` receives, in the order of watching, have ended since the last
    /// call; at most ended.size().
    virtual std::span<const int> test_some(int count, std::span<int> ended) = 0;

    /// Have the receives at the places first .. end - 1 all ended?
    virtual bool test_receives(int first, int end) = 0;

    /// Have the receives from a place on, and all sends, ended?
    virtual bool test_rest(int first) = 0;

    /// Do others depend on it that somebody goes on testing, since MPI alone does not do it?
    virtual bool needs_tests() const { return false; }

    virtual SharedUse shared_use() const { return {}; }

    /// From which ranks something is missing or, if from none, to which something has not left.
    virtual std::vector<int> awaited() const = 0;

    /// Gives up what is under way: nothing is written any more to where receives would have put it.
    /// Sends that nobody takes may go on reading.
    virtual void withdraw() = 0;
};

/// A message that somebody has sent unasked.
struct UnexpectedMessage {
    int source = 0;
    std::span<std::byte> bytes = {};  ///< in the memory
    Staging memory = {};
    std::size_t receive = 0;  ///< its number among the receives
};

/// Messages of which nobody knows beforehand, one by one. Nothing here waits.
class LooseMessages {
public:
    LooseMessages() = default;
    LooseMessages(const LooseMessages&) = delete;
    LooseMessages& operator=(const LooseMessages&) = delete;
    virtual ~LooseMessages() = default;

    /// Bytes that stay where they are until all_sent().
    /// @param synchronous  ends when the target receives it
    virtual void send(int target, int tag, std::span<const std::byte> bytes,
                      bool synchronous = false) = 0;

    /// Receives what is known to come, into memory that stays; returns the number of the receive.
    virtual std::size_t receive(int source, int tag, std::span<std::byte> bytes) = 0;

    /// Begins to receive the next message of that tag from whomever; nothing if none has come.
    virtual std::optional<UnexpectedMessage> probe(int tag) = 0;

    /// The same where none of these is synchronous: that costs less between ranks that share
    /// memory.
    virtual std::optional<UnexpectedMessage> probe_unsynchronous(int tag) { return probe(tag); }

    /// May something be there that cannot be probed yet?
    virtual bool is_behind() { return false; }

    /// The number of a receive that has ended and was not named before.
    virtual std::optional<std::size_t> test_any() = 0;

    virtual bool all_sent() = 0;

    /// Also of what has been probed. What it finds ended, test_any() may not name.
    virtual bool all_received() = 0;

    /// Forgets all, to be used again. @pre all has been sent and received
    virtual void clear() = 0;

    /// The tag of the first message from that rank that nobody has asked for, loose or not.
    virtual std::optional<int> unexpected_from(int rank) = 0;
};

/// How ranks of one communicator reach each other: by MPI's point-to-point messages, or through
/// memory where they share some.
class Transport {
public:
    virtual ~Transport() = default;

    virtual int rank() const = 0;  ///< this one

    /// At which lengths messages go another way.
    virtual choose::CutOffs cut_offs() const = 0;

    /// Memory for a message to or from that rank.
    virtual Staging staging(int peer, std::int64_t bytes) const = 0;

    /// Must a message of so many bytes be put together by us, if it does not lie in one piece?
    /// Alike at both ends.
    virtual bool packs(int peer, std::int64_t bytes) const = 0;

    /// @param tag  of all starts, where they may share one; the transport may then do more of its
    ///             work now
    virtual std::unique_ptr<BoundTransfers> bound(TransferList transfers,
                                                  std::optional<int> tag) const = 0;

    virtual std::unique_ptr<LooseMessages> loose() const = 0;
};

/// By which ways messages go.
enum class Ways {
    automatic,  ///< through memory where ranks share it and a message is short, else by MPI
    mpi,
    shared,  ///< through memory wherever ranks share it
    other,   ///< automatic, but messages of some KiB to a MiB go the way that they would not
};

/// That of a communicator, alike on all ranks. The state outlives what is made of it.
/// @pre state.ready()
std::unique_ptr<Transport> transport_of(const mpi::CommState& state, Ways ways = Ways::automatic);

}  // namespace carpool::engine
