#pragma once

#include "arguments/handle_number.hpp"
#include "arguments/side.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace carpool::arguments {

/// All that distinguishes a call from others on its communicator: numbers, and views of the user's
/// arrays. Its hash shows whether calls repeat each other.
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

}  // namespace carpool::arguments
