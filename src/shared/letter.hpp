#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::shared {

/// Where a letter is to go, within the process that gets it: letters of one address are read in
/// the order in which they have been sent.
struct Address {
    std::uint64_t context = 0;
    std::int32_t tag = 0;

    friend bool operator==(const Address&, const Address&) = default;
};

/// Where the bytes are.
enum class Place : std::int16_t {
    in_cell,    ///< in the letter itself
    staged,     ///< at an offset of the sender's memory, which the letter tells
    elsewhere,  ///< they come in another way
};

/// What a letter on its way says of itself, in memory of the sender's. Its number is written last.
struct Heading {
    std::atomic<std::uint64_t> number;  ///< from 1 on
    std::uint64_t context;
    std::int64_t bytes;
    std::int32_t tag;
    Place place;
    std::atomic<std::uint16_t> audience;  ///< of a notice
    std::uint64_t after;                  ///< of others: the notice before it, for the same mate
};

/// A letter to one mate.
struct alignas(128) Cell : Heading {
    static constexpr std::size_t capacity = 88;
    std::byte content[capacity];
};

/// A letter to several mates at once.
struct alignas(128) Notice : Heading {
    static constexpr std::size_t capacity = 984;
    std::byte content[capacity];
};

/// Which letters a process has read, in memory of its own: nobody else writes to these lines.
struct alignas(128) Receipts {
    static constexpr std::size_t cells = 16;

    std::array<std::atomic<std::uint64_t>, cells> read;  ///< per cell, the latest letter
};

/// What a process keeps for another one: letters to it, and receipts for letters and notices from
/// it.
struct Drawer {
    Cell cells[Receipts::cells];
    Receipts receipts;
    Receipts notices;
};

/// Where a process writes what several others read, each once, and all of its audience read it
/// there.
struct Board {
    static constexpr std::size_t most_audiences = 1024;
    static constexpr std::size_t most_readers = 4096;

    Notice cells[Receipts::cells];

    /// Where in the process's memory the bits of an audience are, one per drawer; 0 for none yet.
    std::atomic<std::uint64_t> audiences[most_audiences];
};

/// A letter that has come.
struct Letter {
    std::uint64_t number = 0;  ///< of a cell in which it waits to be read; 0 if it is a copy
    bool notice = false;       ///< is that one of a board?
    Place place = Place::in_cell;
    std::int64_t bytes = 0;
    const std::byte* content = nullptr;
    std::unique_ptr<std::byte[]> copy = nullptr;
};

/// Somebody who waits for one letter, and stays where it is meanwhile.
struct Expectation {
    Address address;
    std::atomic<bool> met = false;
    Letter letter = {};  ///< once it is met
};

}  // namespace carpool::shared
