// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::call {

/// A number for sizes of blocks by which all ranks choose alike: calls of one form whose sizes have
/// the same number have the same candidate.
using SizeClass = std::uint64_t;

/// The class of sizes that only pairs of ranks know.
inline constexpr SizeClass sizes_of_pairs = 1;

/// A bit that every other class has, so that none is 0 or sizes_of_pairs.
inline constexpr SizeClass known_sizes = 8;

/// A bit of classes of calls whose blocks lie on a GPU, which have bound calls of their own. It
/// says nothing about sizes, and a rank alone has it.
inline constexpr SizeClass on_device = 16;

/// The candidate that costs have chosen for each class of sizes. No class is 0.
class CandidatesBySize {
public:
    std::optional<std::size_t> find(SizeClass size_class) const {
        const auto& found = table_[place_of(size_class)];
        return found.size_class == size_class ? std::optional(found.candidate) : std::nullopt;
    }

    /// @pre find() has nothing for this class
    void keep(SizeClass size_class, std::size_t candidate) {
        if (2 * ++kept_ > table_.size()) make_room();
        table_[place_of(size_class)] = {size_class, candidate};
    }

private:
    struct Entry {
        SizeClass size_class = 0;
        std::size_t candidate = 0;
    };

    /// The place of a class, or the place where it would be put.
    std::size_t place_of(SizeClass size_class) const {
        constexpr SizeClass mixing = 0x9E3779B97F4A7C15;
        const auto mask = table_.size() - 1;
        auto place = static_cast<std::size_t>((size_class * mixing) >> 32) & mask;
        while (table_[place].size_class != 0 && table_[place].size_class != size_class)
            place = (place + 1) & mask;
        return place;
    }

    /// Doubles the table or, where it is large, forgets what is in it.
    void make_room() {
        constexpr std::size_t most = 1024;
        const auto old =
            std::exchange(table_, std::vector<Entry>(std::min(most, 2 * table_.size())));
        kept_ = 1;
        if (old.size() == most) return;
        for (const auto& entry : old)
            if (entry.size_class != 0) keep(entry.size_class, entry.candidate);
    }

    std::size_t kept_ = 0;
    std::vector<Entry> table_ =
        std::vector<Entry>(16);  // a power of two of entries, at most half full
};

}  // namespace carpool::call
