#pragma once

#include "call/side.hpp"
#include "call/type_life.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace carpool::call {

/// A handle of MPI's as a number.
template <typename Handle>
std::int64_t bits_of(Handle handle) {
    std::int64_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}

/// All that tells a call from others on its communicator: numbers, and the user's arrays where they
/// are. A view, made for each call without allocating; a StoredKey keeps what it shows.
class Key {
public:
    void add(std::int64_t number) { numbers_[numbers_used_++] = number; }

    /// One side of so many blocks. @pre it lacks no array
    void add(const Side& side, int blocks) {
        add(bits_of(side.buffer));
        add(static_cast<std::int64_t>(side.counts.varies()) << 2 |
            static_cast<std::int64_t>(side.displacements.varies()) << 1 |
            static_cast<std::int64_t>(side.varying_types));
        if (!side.counts.varies()) add(side.count(0));
        add(side.counts.memory(blocks));
        add(side.displacements.memory(blocks));
        if (side.varying_types)
            add(std::as_bytes(std::span(side.types, static_cast<std::size_t>(blocks))));
        else
            add(bits_of(side.one_type));
    }

    void add(std::span<const std::byte> array) {
        if (!array.empty()) arrays_[arrays_used_++] = array;
    }

    std::span<const std::int64_t> numbers() const { return {numbers_.data(), numbers_used_}; }

    /// The user's arrays, where they are.
    std::span<const std::span<const std::byte>> arrays() const {
        return {arrays_.data(), arrays_used_};
    }

    std::uint64_t hash() const;

private:
    static constexpr std::size_t most_numbers = 16;
    static constexpr std::size_t most_arrays = 8;

    std::array<std::int64_t, most_numbers> numbers_;
    std::size_t numbers_used_ = 0;
    std::array<std::span<const std::byte>, most_arrays> arrays_;
    std::size_t arrays_used_ = 0;
};

/// What a key has shown, and that its datatypes are still those: a handle may come back as another
/// type once its type has been freed.
class StoredKey {
public:
    StoredKey() = default;
    explicit StoredKey(const Key& key);

    /// Remembers the types of a side of so many blocks.
    void watch(const Side& side, int blocks);

    bool empty() const { return numbers_.empty(); }
    std::uint64_t hash() const { return hash_; }
    bool shows(const Key& key) const {
        return std::ranges::equal(key.numbers(), numbers_) && shows_arrays(key);
    }

    friend bool operator==(const StoredKey& a, const StoredKey& b) {
        return a.hash_ == b.hash_ && a.numbers_ == b.numbers_ && a.arrays_ == b.arrays_;
    }

    /// Have none of its types been freed?
    bool alive() { return types_.alive(); }

private:
    bool shows_arrays(const Key& key) const;

    std::uint64_t hash_ = 0;
    std::vector<std::int64_t> numbers_;
    std::vector<std::byte> arrays_;  // one behind the other
    TypeLives types_;
};

}  // namespace carpool::call
