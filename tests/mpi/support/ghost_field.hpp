// SPDX-License-Identifier: MIT
#pragma once

#include "../../graphs/random_ghosts.hpp"
#include "buffers.hpp"
#include "entry_array.hpp"
#include "ghost_operators.hpp"

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// The operator of a reduction, as the oracle applies it.
struct Combining {
    MPI_Op op;
    bool in_order;  ///< also where doubles round
};

/// Two arrays of one rank, of its entries and of its ghosts, and what an exchange makes of them.
/// The values of all ranks are known everywhere.
class GhostField {
public:
    /// @param element  writes an element of the layout; without it values are any bytes
    /// @param salt     makes values differ from those of other fields
    GhostField(const GhostSets& sets, int rank, EntryLayout layout, std::optional<Summable> element,
               std::uint32_t salt, Bytes& owned, Bytes& ghosts)
        : sets_(sets),
          rank_(static_cast<std::size_t>(rank)),
          layout_(layout),
          element_(element),
          salt_(salt),
          owned_(owned, sets.owned[rank_], layout),
          ghosts_(ghosts, std::ssize(sets.owners[rank_]), layout) {}

    std::byte* owned() const { return owned_.address(); }
    std::byte* ghosts() const { return ghosts_.address(); }
    const EntryLayout& layout() const { return layout_; }

    /// Takes other arrays.
    void move(Bytes& owned, Bytes& ghosts) {
        owned_ = EntryArray(owned, sets_.owned[rank_], layout_);
        ghosts_ = EntryArray(ghosts, std::ssize(sets_.owners[rank_]), layout_);
    }

    /// Gives entries their values for a start, and ghosts theirs if they are to be combined.
    void prepare(std::uint32_t start, bool reduces) {
        start_ = start;
        owned_.clear();
        ghosts_.clear();
        for (std::int64_t i = 0; i < sets_.owned[rank_]; ++i)
            owned_.set(i, value(of_owners, rank_, i));
        for (std::int64_t i = 0; reduces && i < std::ssize(sets_.owners[rank_]); ++i)
            ghosts_.set(i, value(of_ghosts, rank_, i));
        owned_before_ = owned_.bytes();
        ghosts_before_ = ghosts_.bytes();
    }

    std::string fault_after_update() {
        const auto got = ghosts_.bytes();
        ghosts_.clear();
        for (std::size_t i = 0; i < sets_.owners[rank_].size(); ++i)
            ghosts_.set(static_cast<std::int64_t>(i),
                        value(of_owners, static_cast<std::size_t>(sets_.owners[rank_][i]),
                              sets_.indices[rank_][i]));
        if (owned_.bytes() != owned_before_) return "owned values have changed";
        return said("ghosts", difference(ghosts_.bytes(), got));
    }

    std::string fault_after_reduction(const Combining& combining) {
        if (ghosts_.bytes() != ghosts_before_) return "ghosts have changed";
        const auto got = owned_.bytes();
        auto values = combined(combining);
        if (element_->rounds && !combining.in_order) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto found = owned_.value(static_cast<std::int64_t>(i));
                if (!are_near(values[i], found)) return "a sum is wrong";
                values[i] = found;
            }
        }
        owned_.clear();
        for (std::size_t i = 0; i < values.size(); ++i)
            owned_.set(static_cast<std::int64_t>(i), values[i]);
        return said("entries", difference(owned_.bytes(), got));
    }

private:
    static constexpr std::uint32_t of_owners = 1;
    static constexpr std::uint32_t of_ghosts = 2;

    static std::string said(const std::string& what, const std::string& fault) {
        return fault.empty() ? "" : what + ": " + fault;
    }

    std::uint32_t number(std::uint32_t side, std::size_t rank, std::int64_t index,
                         std::size_t place) const {
        std::uint32_t hash = salt_ + 131 * start_;
        for (const auto word :
             {side, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(index),
              static_cast<std::uint32_t>(place)}) {
            hash = (hash ^ word) * 2654435761u;
            hash ^= hash >> 15;
        }
        return hash;
    }

    Bytes value(std::uint32_t side, std::size_t rank, std::int64_t index) const {
        if (element_) return element_value(side, rank, index);
        Bytes value(static_cast<std::size_t>(layout_.bytes()));
        for (std::size_t i = 0; i < value.size(); ++i)
            value[i] = static_cast<std::byte>(number(side, rank, index, i));
        return value;
    }

    Bytes element_value(std::uint32_t side, std::size_t rank, std::int64_t index) const {
        Bytes memory;
        const EntryArray one(memory, 1, layout_);
        for (int i = 0; i < layout_.count; ++i)
            element_->write(one.address() + i * layout_.extent(),
                            number(side, rank, index, static_cast<std::size_t>(i)));
        return one.value(0);
    }

    /// This rank's entries, each combined with the ghosts of one rank after the other; those of one
    /// rank are combined first.
    std::vector<Bytes> combined(const Combining& combining) const {
        std::vector<Bytes> result;
        for (std::int64_t i = 0; i < sets_.owned[rank_]; ++i)
            result.push_back(value(of_owners, rank_, i));
        for (std::size_t rank = 0; rank < sets_.owners.size(); ++rank) {
            const auto sums = sums_of(rank, combining);
            for (std::size_t i = 0; i < result.size(); ++i)
                if (!sums[i].empty()) result[i] = combined(result[i], sums[i], combining);
        }
        return result;
    }

    std::vector<Bytes> sums_of(std::size_t rank, const Combining& combining) const {
        std::vector<Bytes> sums(static_cast<std::size_t>(sets_.owned[rank_]));
        for (std::size_t i = 0; i < sets_.owners[rank].size(); ++i) {
            if (sets_.owners[rank][i] != static_cast<int>(rank_)) continue;
            auto& sum = sums[static_cast<std::size_t>(sets_.indices[rank][i])];
            const auto one = value(of_ghosts, rank, static_cast<std::int64_t>(i));
            sum = sum.empty() ? one : combined(sum, one, combining);
        }
        return sums;
    }

    Bytes combined(const Bytes& left, const Bytes& right, const Combining& combining) const {
        Bytes memory;
        Bytes other_memory;
        EntryArray in(memory, 1, layout_);
        EntryArray inout(other_memory, 1, layout_);
        in.set(0, left);
        inout.set(0, right);
        MPI_Reduce_local(in.address(), inout.address(), layout_.count, layout_.type, combining.op);
        return inout.value(0);
    }

    static bool are_near(const Bytes& a, const Bytes& b) {
        for (std::size_t at = 0; at < a.size(); at += sizeof(double)) {
            double one;
            double other;
            std::memcpy(&one, a.data() + at, sizeof one);
            std::memcpy(&other, b.data() + at, sizeof other);
            if (!(std::abs(one - other) <= 1e-9 * (1 + std::abs(one)))) return false;
        }
        return true;
    }

    const GhostSets& sets_;
    std::size_t rank_;
    EntryLayout layout_;
    std::optional<Summable> element_;
    std::uint32_t salt_;
    std::uint32_t start_ = 0;
    EntryArray owned_;
    EntryArray ghosts_;
    Bytes owned_before_;
    Bytes ghosts_before_;
};

}  // namespace carpool::tests
