#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::shared {

/// Where a message is to go, within the process that gets it: messages of one address are read in
/// the order in which they have been sent.
struct Address {
    std::uint64_t context = 0;
    std::int32_t tag = 0;

    friend bool operator==(const Address&, const Address&) = default;
};

/// Where the bytes are.
enum class Place : std::int16_t {
    in_entry,   ///< in the message itself
    staged,     ///< at an offset of the sender's memory, which the message tells
    elsewhere,  ///< they come in another way
};

/// What a message on its way says of itself, in memory of the sender's. Its number is written last.
struct EntryHeader {
    std::atomic<std::uint64_t> number;  ///< from 1 on
    std::uint64_t context;
    std::int64_t bytes;
    std::int32_t tag;
    Place place;
    std::atomic<std::uint16_t> reader_set;  ///< of a multicast
    std::uint64_t after;  ///< of others: the multicast before it, for the same endpoint
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

/// Which messages a process has read, in memory of its own: nobody else writes to these lines.
struct alignas(128) Acks {
    static constexpr std::size_t entries = 16;

    std::array<std::atomic<std::uint64_t>, entries> read;  ///< per ring entry, the latest message
};

/// What a process keeps for another one: messages to it, and acks for messages and multicasts from
/// it.
struct Mailbox {
    RingEntry entries[Acks::entries];
    Acks acks;
    Acks multicasts;
};

/// Where a process writes what several others read, each once, and all of its reader set read it
/// there.
struct MulticastSlots {
    static constexpr std::size_t most_reader_sets = 1024;
    static constexpr std::size_t most_readers = 4096;

    MulticastEntry entries[Acks::entries];

    /// Where in the process's memory the bits of an reader set are, one per mailbox; 0 for none
    /// yet.
    std::atomic<std::uint64_t> reader_sets[most_reader_sets];
};

/// A message that has come.
struct Envelope {
    std::uint64_t number = 0;  ///< of a ring entry in which it waits to be read; 0 if it is a copy
    bool multicast = false;    ///< is that one of a multicast ring?
    Place place = Place::in_entry;
    std::int64_t bytes = 0;
    const std::byte* content = nullptr;
    std::unique_ptr<std::byte[]> copy = nullptr;
};

/// Somebody who waits for one message, and stays where it is meanwhile.
struct PostedReceive {
    Address address;
    std::atomic<bool> matched = false;
    Envelope envelope = {};  ///< once it is met
};

}  // namespace carpool::shared
