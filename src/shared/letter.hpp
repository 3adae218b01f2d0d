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
enum class Place : std::int32_t {
    in_cell,    ///< in the letter itself
    in_room,    ///< at an offset of the sender's memory, which the letter tells
    elsewhere,  ///< they come in another way
};

/// One letter on its way, in memory of the sender's. Its number is written last.
struct alignas(128) Cell {
    static constexpr std::size_t capacity = 96;

    std::atomic<std::uint64_t> number;  ///< from 1 on
    std::uint64_t context;
    std::int64_t bytes;
    std::int32_t tag;
    Place place;
    std::byte content[capacity];
};

/// Which letters a process has read, in memory of its own: nobody else writes to these lines.
struct alignas(128) Receipts {
    static constexpr std::size_t cells = 16;

    std::array<std::atomic<std::uint64_t>, cells> read;  ///< per cell, the latest letter
};

/// What a process keeps for another one: letters to it, and receipts for letters from it.
struct Drawer {
    Cell cells[Receipts::cells];
    Receipts receipts;
};

/// A letter that has come.
struct Letter {
    std::uint64_t number = 0;  ///< of a cell in which it waits to be read; 0 if it is a copy
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
