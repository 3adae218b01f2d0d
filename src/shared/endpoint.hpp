#pragma once

#include "base/mutex.hpp"
#include "shared/envelope.hpp"
#include "shared/unexpected_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace carpool::shared {

/// Another process with which this one shares memory: messages go to it and come from it, in order.
/// Any thread may call anything. Nothing waits.
///
/// Envelope travel in a ring of ring entries. A ring entry is used again when its message has been
/// read, in whatever order. Some messages that nobody expects yet wait in their ring entries; more
/// of them are copied, so that they stop nobody. So do multicasts.
class Endpoint {
public:
    /// Where multicasts are, and whom they are for.
    struct MulticastSource {
        const MulticastSlots* multicast_ring =
            nullptr;              ///< the other process's, which is only read
        std::size_t reader = 0;   ///< which of its mailboxes is for this process
        std::size_t mailbox = 0;  ///< which of this process's is for it
    };

    /// @param own     this process's mailbox for it
    /// @param theirs  its mailbox for this process, which is only read
    /// @param memory  where its segment begins
    Endpoint(Mailbox& own, const Mailbox& theirs, const std::byte* memory,
             MulticastSource multicasts)
        : own_(own), theirs_(theirs), memory_(memory), multicasts_(multicasts) {}
    Endpoint(Mailbox& own, const Mailbox& theirs, const std::byte* memory)
        : Endpoint(own, theirs, memory, MulticastSource{}) {}

    // ---- messages to it ----

    /// Is a ring entry free, unless another thread takes it?
    bool has_free_entry() const {
        const auto next = sent_.load(std::memory_order_relaxed) + 1;
        return next < free_until_.load(std::memory_order_acquire) || looks_free(next);
    }

    /// Fetches what the next message is written to, while something else is done.
    void prefetch_entry() const {
        constexpr int to_write = 1;
        const auto next = sent_.load(std::memory_order_relaxed) + 1;
        __builtin_prefetch(&own_.entries[entry_of(next)], to_write);
    }

    /// Returns the message's number, or 0, and nothing done, if no ring entry is free.
    /// @param put  writes the content, and returns its bytes. @pre it fits into a ring entry
    template <typename Put>
    std::uint64_t write(const Address& to, Place place, Put put) {
        const std::lock_guard lock(sending_);
        if (!has_free_entry()) return 0;
        const auto number = sent_.load(std::memory_order_relaxed) + 1;
        auto& entry = own_.entries[entry_of(number)];
        entry.context = to.context;
        entry.tag = to.tag;
        entry.place = place;
        entry.after = posted_.load(std::memory_order_acquire);
        entry.bytes = put(entry.content);
        entry.number.store(number, std::memory_order_release);
        sent_.store(number, std::memory_order_relaxed);
        return number;
    }

    /// The same of bytes that lie somewhere. @param bytes  of the message, wherever it is
    std::uint64_t send(const Address& to, Place place, std::int64_t bytes,
                       std::span<const std::byte> content);

    /// The message with its bytes at an offset of this process's segment.
    std::uint64_t send_staged(const Address& to, std::int64_t bytes, std::size_t offset);

    bool has_read(std::uint64_t number) const {
        return theirs_.acks.read[entry_of(number)].load(std::memory_order_acquire) >= number;
    }

    std::size_t mailbox() const { return multicasts_.mailbox; }

    /// The multicast of that number is for it, too: what is sent from now on comes after that.
    void posted(std::uint64_t multicast) { posted_.store(multicast, std::memory_order_release); }

    bool has_read_multicast(std::uint64_t number) const {
        return theirs_.multicasts.read[entry_of(number)].load(std::memory_order_acquire) >= number;
    }

    // ---- messages from it ----

    /// From now on, behind all others of the same address. @pre not expected already
    void expect(PostedReceive& posted_receive);

    /// Not any more: a message that has come is lost.
    void forget(PostedReceive& posted_receive);

    /// Takes in what has come.
    void look() {
        if (has_envelope() || has_multicast()) take_in();
    }

    /// The message's bytes have been read.
    void release(Envelope& envelope);

    /// Has anything come that nobody expects? Most often not, and that costs little to know.
    bool has_unexpected() {
        look();  // who sees there that another thread has taken it in, sees here what came of that
        return unexpected_.load(std::memory_order_relaxed) != 0;
    }

    /// A copy of the next message of that address that has come and nobody expects.
    std::optional<Envelope> take_unexpected(const Address& address);

    /// The tag of the first message with that context that has come and nobody expects.
    std::optional<int> first_unexpected(std::uint64_t context);

    /// Is a message there that waits for a multicast to be read? Another look may find both.
    bool is_behind() {
        look();
        return has_envelope();
    }

    /// Throws away all that nobody expects of those with that context; returns how many.
    std::size_t discard(std::uint64_t context);

private:
    /// Where one is, in which of the two; none if there is none.
    struct Found {
        UnexpectedQueue* among = nullptr;
        UnexpectedEnvelope* one = nullptr;
    };

    Found find_unexpected(const Address& address);
    Envelope take(const Found& found);
    void count_unexpected();
    UnexpectedQueue& unexpected(bool multicast) {
        return multicast ? unexpected_multicasts_ : unexpected_envelopes_;
    }
    void take_in(const Address& address, Envelope envelope);

    static std::size_t entry_of(std::uint64_t number) { return number % Acks::entries; }

    bool is_free(std::uint64_t number) const {
        return number <= Acks::entries || has_read(number - Acks::entries);
    }

    bool looks_free(std::uint64_t number) const;

    bool has_envelope() const {
        const auto next = taken_.load(std::memory_order_acquire) + 1;
        return theirs_.entries[entry_of(next)].number.load(std::memory_order_acquire) == next;
    }

    bool has_multicast() const {
        if (multicasts_.multicast_ring == nullptr) return false;
        const auto next = multicasts_taken_.load(std::memory_order_acquire) + 1;
        return multicasts_.multicast_ring->entries[entry_of(next)].number.load(
                   std::memory_order_acquire) >= next;
    }

    void take_in();
    bool take_in_envelopes();
    bool take_in_multicast();
    bool is_in(std::uint16_t reader_set) const;
    PostedReceive* expecting(const Address& address);
    void free_entries_before(std::uint64_t number, UnexpectedQueue& early);
    void ack(const Envelope& envelope) {
        auto& acks = envelope.multicast ? own_.multicasts : own_.acks;
        acks.read[entry_of(envelope.number)].store(envelope.number, std::memory_order_release);
    }

    // What each message needs, in as few cache lines as it goes.
    Mailbox& own_;
    const Mailbox& theirs_;
    const std::byte* memory_;
    std::atomic<std::uint64_t> sent_ = 0;
    /// RingEntries of earlier messages are free as far as is known: the other one writes its acks
    /// for each message, so to read them costs more than to send one.
    mutable std::atomic<std::uint64_t> free_until_ = Acks::entries + 1;
    std::atomic<std::uint64_t> taken_ = 0;
    std::atomic<std::uint64_t> multicasts_taken_ = 0;  // as far as the multicast ring has been read
    std::vector<PostedReceive*> expected_;             // the longest first
    UnexpectedQueue unexpected_envelopes_;
    UnexpectedQueue unexpected_multicasts_;
    std::atomic<std::size_t> unexpected_ = 0;  // of both
    std::uint64_t arrivals_ = 0;
    MulticastSource multicasts_;
    std::atomic<std::uint64_t> posted_ = 0;  // the latest multicast for it

    base::Mutex sending_;
    base::Mutex receiving_;  // of taken_, noticed_, expected_ and all that is early
};

}  // namespace carpool::shared
