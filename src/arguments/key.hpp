#pragma once

#include "arguments/side.hpp"
#include "arguments/type_life.hpp"
#include "mpi/operator.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace carpool::arguments {

/// An MPI handle as a number.
template <typename Handle>
std::int64_t bits_of(Handle handle) {
    std::int64_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}

/// An operator as a number. A user's operator may get the handle of a freed one: then they differ
/// in whether they commute, or it does not matter.
inline std::int64_t number_of(MPI_Op op) {
    return 2 * bits_of(op) + (mpi::is_users(op) && mpi::commutes(op) ? 1 : 0);
}

/// All that distinguishes a call from others on its communicator: numbers, and views of the user's
/// arrays. A key is made for each call without allocating or copying; a StoredKey is a copy of it.
class Key {
public:
    void add(std::int64_t number) { numbers_[numbers_used_++] = number; }

    /// Adds a side with this number of blocks.
    void add(const Side& side, int blocks) {
        add(bits_of(side.buffer));
        const bool varies =
            side.counts.varies() || side.displacements.varies() || side.varying_types;
        if (varies) return add_varying(side, blocks);
        add(side.count(0));
        add(bits_of(side.one_type));
    }

    void add(std::span<const std::byte> array) {
        if (!array.empty()) arrays_[arrays_used_++] = {array.data(), array.size()};
    }

    std::span<const std::int64_t> numbers() const { return {numbers_.data(), numbers_used_}; }

    /// Calls `visit` with a view of each of the user's arrays.
    template <typename Visit>
    void each_array(Visit visit) const {
        for (std::size_t i = 0; i < arrays_used_; ++i)
            visit(std::span(arrays_[i].begin, arrays_[i].bytes));
    }

    bool has_arrays() const { return arrays_used_ > 0; }

    /// False if the call lacks an array that it needs; such a key equals no other.
    bool whole() const { return whole_; }
    void spoil() { whole_ = false; }

    static Key spoilt() {
        Key key;
        key.spoil();
        return key;
    }

    std::uint64_t hash() const;

private:
    static constexpr std::size_t most_numbers = 16;
    static constexpr std::size_t most_arrays = 8;

    struct Array {
        const std::byte* begin;
        std::size_t bytes;
    };

    void add_varying(const Side& side, int blocks);

    // not initialised: that would take a tenth of a short call
    std::array<std::int64_t, most_numbers> numbers_;
    std::array<Array, most_arrays> arrays_;
    std::size_t numbers_used_ = 0;
    std::size_t arrays_used_ = 0;
    bool whole_ = true;
};

/// A copy of a key. It also watches the call's datatypes: once one has been freed, MPI may give its
/// handle to another.
class StoredKey {
public:
    /// Copies this key; becomes empty if the key is not whole.
    void become(const Key& key);

    /// Watches the datatypes of a side with this number of blocks, unless the key is empty.
    void watch(const Side& side, int blocks);

    bool empty() const { return numbers_.empty(); }
    std::uint64_t hash() const { return hash_; }
    bool shows(const Key& key) const {
        if (!std::ranges::equal(key.numbers(), numbers_)) return false;
        return key.has_arrays() ? shows_arrays(key) : arrays_.empty();
    }

    friend bool operator==(const StoredKey& a, const StoredKey& b) {
        return a.hash_ == b.hash_ && a.numbers_ == b.numbers_ && a.arrays_ == b.arrays_;
    }

    /// False once one of the datatypes has been freed.
    bool alive() { return types_.alive(); }

private:
    bool shows_arrays(const Key& key) const;

    std::uint64_t hash_ = 0;
    std::vector<std::int64_t> numbers_;
    std::vector<std::byte> arrays_;  // one behind the other
    TypeLives types_;
};

}  // namespace carpool::arguments
