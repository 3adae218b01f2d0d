// SPDX-License-Identifier: MIT
#pragma once

#include "handles.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A datatype of ints, and the offsets of its ints.
struct IntLayout {
    MPI_Datatype type;
    int extent;                ///< in ints
    std::vector<int> offsets;  ///< the offsets of the ints, in the order of the type map
};

/// Some datatypes, with and without holes.
class Layouts {
public:
    static constexpr std::size_t number = 5;
    static constexpr int common_ints = 6;  ///< a multiple of the number of ints of each

    Layouts() {
        add(MPI_INT, 1, {0});
        MPI_Datatype made;
        MPI_Type_contiguous(3, MPI_INT, &made);
        add_made(made, 3, {0, 1, 2});
        MPI_Type_vector(3, 1, 2, MPI_INT, &made);
        add_resized(made, 7, {0, 2, 4});
        const int lengths[] = {1, 1}, backwards[] = {3, 0};
        MPI_Type_indexed(2, lengths, backwards, MPI_INT, &made);
        add_resized(made, 4, {3, 0});
        MPI_Type_vector(2, 3, 5, MPI_INT, &made);
        add_resized(made, 9, {0, 1, 2, 5, 6, 7});
    }

    const IntLayout& operator[](std::size_t i) const { return layouts_[i]; }

private:
    void add(MPI_Datatype type, int extent, std::vector<int> offsets) {
        layouts_.push_back({type, extent, std::move(offsets)});
    }
    void add_made(MPI_Datatype made, int extent, std::vector<int> offsets) {
        types_.push_back(committed(made));
        add(types_.back(), extent, std::move(offsets));
    }
    void add_resized(MPI_Datatype inner, int extent, std::vector<int> offsets) {
        const Type owned(inner);
        MPI_Datatype made;
        MPI_Type_create_resized(inner, 0, extent * static_cast<MPI_Aint>(sizeof(int)), &made);
        add_made(made, extent, std::move(offsets));
    }

    std::vector<Type> types_;
    std::vector<IntLayout> layouts_;
};

/// Blocks of one layout in a buffer with poison around them, and the values that they must have.
class Blocks {
public:
    /// @param shift  offset of the buffer in its memory, in ints
    Blocks(const IntLayout& layout, unsigned shift)
        : layout_(layout), shift_(static_cast<int>(shift)) {}

    /// Adds a block of so many ints, each with the value `letter`, at some distance from the last
    /// one.
    void add(int ints, int letter, int distance = 2) {
        end_ += distance;
        add_behind(ints, letter);
    }

    void add_behind(int ints, int letter) {
        const auto count = ints / static_cast<int>(layout_.offsets.size());
        counts_.push_back(count);
        displs_.push_back(end_);
        letters_.push_back(letter);
        end_ += count;
    }

    /// Fills the blocks with the right values.
    void fill() { memory_ = right(); }

    void poison() {
        right_ = right();
        memory_.assign(right_.size(), poison_);
    }

    bool are_right() const { return right_.empty() || memory_ == right_; }

    int* buffer() { return memory_.data() + shift_; }
    const int* counts() const { return counts_.data(); }
    const int* displs() const { return displs_.data(); }
    MPI_Datatype type() const { return layout_.type; }

private:
    static constexpr int poison_ = -559038737;

    std::vector<int> right() const {
        constexpr int behind = 8;
        std::vector<int> ints(static_cast<std::size_t>(shift_ + end_ * layout_.extent + behind),
                              poison_);
        for (std::size_t block = 0; block < counts_.size(); ++block)
            for (int element = 0; element < counts_[block]; ++element)
                for (const int offset : layout_.offsets)
                    ints[static_cast<std::size_t>(
                        shift_ + (displs_[block] + element) * layout_.extent + offset)] =
                        letters_[block];
        return ints;
    }

    const IntLayout& layout_;
    int shift_;
    int end_ = 0;
    std::vector<int> counts_, displs_, letters_;
    std::vector<int> memory_, right_;
};

}  // namespace carpool::tests
