// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace carpool::shared {

/// Where a message goes within the receiving process: messages of one address are read in the order
/// in which they were sent.
struct Address {
    std::uint64_t context = 0;
    std::int32_t tag = 0;

    friend bool operator==(const Address&, const Address&) = default;
};

/// Where a message's bytes are.
enum class ContentPlace : std::int16_t {
    in_entry,   ///< in the ring entry itself
    staged,     ///< at an offset of the sender's memory, which the ring entry holds
    elsewhere,  ///< they come in a message of the host MPI
};

/// The header of a ring entry, in the sender's memory. Its number is written last.
struct EntryHeader {
    std::atomic<std::uint64_t> number;  ///< from 1 on
    std::uint64_t context;
    std::int64_t bytes;
    std::int32_t tag;
    ContentPlace place;
    std::atomic<std::uint16_t> reader_set;  ///< the reader set of a multicast only
    /// Not of a multicast: the latest multicast that the endpoint reads before.
    std::uint64_t after_multicast;
};

/// A message to one endpoint.
struct alignas(128) RingEntry : EntryHeader {
    static constexpr std::size_t capacity = 88;
    std::byte content[capacity];
};

/// A message to several endpoints at once.
struct alignas(128) MulticastEntry : EntryHeader {
    static constexpr std::size_t capacity = 984;
    std::byte content[capacity];
};

/// Which messages a process has read, in its own memory: no other process writes to these cache
/// lines.
struct alignas(128) Acks {
    static constexpr std::size_t entries = 16;

    std::array<std::atomic<std::uint64_t>, entries> read;  ///< per ring entry, the latest message
};

/// What a process keeps for another one: messages to it, and acks for messages and multicasts from
/// it.
struct Mailbox {
    RingEntry entries[Acks::entries];
    Acks acks;
    Acks multicast_acks;
};

/// The memory of a multicast ring: a process writes each message once, and all of its reader set
/// read it there.
struct MulticastEntries {
    static constexpr std::size_t most_reader_sets = 1024;
    static constexpr std::size_t most_readers = 4096;

    MulticastEntry entries[Acks::entries];

    /// Where in the process's memory the bits of a reader set are, one per mailbox; 0 if there is
    /// none yet.
    std::atomic<std::uint64_t> reader_sets[most_reader_sets];
};

/// Another process has written a message that it cannot have meant, such as one that is longer than
/// its ring entry.
struct BrokenMessage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A message that has arrived.
struct Envelope {
    std::uint64_t number =
        0;  ///< the number of the ring entry where it waits to be read; 0 if it is a copy
    bool multicast = false;  ///< is that an entry of a multicast ring?
    ContentPlace place = ContentPlace::in_entry;
    std::int64_t bytes = 0;
    const std::byte* content = nullptr;
    std::unique_ptr<std::byte[]> copy = nullptr;
};

/// A receive that has been posted. It must not move until it is matched or cancelled.
struct PostedReceive {
    Address address;
    std::atomic<bool> matched = false;
    Envelope envelope = {};  ///< valid once matched
};

}  // namespace carpool::shared
