// SPDX-License-Identifier: MIT
#pragma once

#include "../../graphs/random_ghosts.hpp"
#include "form.hpp"
#include "world.hpp"

#include <carpool/ghosts.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace carpool::tests {

/// Ghosts of all ranks of MPI_COMM_WORLD; the same on all of them.
inline GhostSets random_ghosts(const std::string& shape, std::mt19937& rng) {
    return ::random_ghosts(shape, world_size(), [&](int low, int high) {
        return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
    });
}

/// A map of ghosts, freed at the end of its scope.
class GhostMap {
public:
    /// @note Collective over comm, which has the ranks of MPI_COMM_WORLD.
    GhostMap(const GhostSets& sets, MPI_Comm comm, MPI_Info info = MPI_INFO_NULL) {
        const auto rank = static_cast<std::size_t>(world_rank());
        const std::vector<MPI_Count> indices(sets.indices[rank].begin(), sets.indices[rank].end());
        code_ = Carpool_Ghosts_create(comm, sets.owned[rank], std::ssize(indices),
                                      sets.owners[rank].data(), indices.data(), info, &map_);
    }
    GhostMap(const GhostMap&) = delete;
    ~GhostMap() {
        if (map_ != CARPOOL_GHOSTS_NULL) Carpool_Ghosts_free(&map_);
    }

    int code() const { return code_; }
    operator Carpool_Ghosts() const { return map_; }  // NOLINT: converts as the handle itself

private:
    int code_ = MPI_SUCCESS;
    Carpool_Ghosts map_ = CARPOOL_GHOSTS_NULL;
};

/// Where the numbers of an entry lie: at these places of `extent` numbers.
struct EntryShape {
    std::vector<int> places;
    int extent;
};

/// The two arrays of one rank, with poison around them and in their gaps.
template <typename Number>
class GhostArrays {
public:
    /// @param salt  makes values differ from those of other arrays
    GhostArrays(const GhostSets& sets, EntryShape shape, int salt)
        : sets_(sets),
          shape_(std::move(shape)),
          salt_(salt),
          owned_(room(sets.owned[rank()]), poison()),
          ghosts_(room(std::ssize(sets.owners[rank()])), poison()) {}

    Number* owned() { return owned_.data() + margin; }
    Number* ghosts() { return ghosts_.data() + margin; }

    /// Gives owned entries their values for a start, and ghosts poison.
    void prepare_update(int start) {
        start_ = start;
        fill(owned_, sets_.owned[rank()], [&](std::int64_t index, int place) {
            return entry_value(world_rank(), index, place);
        });
        owned_before_ = owned_;
        ghosts_.assign(ghosts_.size(), poison());
    }

    /// Gives both values.
    void prepare_reduction(int start) {
        prepare_update(start);
        fill(ghosts_, std::ssize(sets_.owners[rank()]), [&](std::int64_t position, int place) {
            return ghost_value(world_rank(), position, place);
        });
        ghosts_before_ = ghosts_;
    }

    /// What is wrong after an update; empty if nothing is.
    std::string fault_after_update() const {
        auto expected = std::vector<Number>(ghosts_.size(), poison());
        fill(expected, std::ssize(sets_.owners[rank()]), [&](std::int64_t position, int place) {
            const auto ghost = static_cast<std::size_t>(position);
            return entry_value(sets_.owners[rank()][ghost], sets_.indices[rank()][ghost], place);
        });
        if (owned_ != owned_before_) return "owned values have changed";
        return difference(ghosts_, expected, "ghost");
    }

    /// The same after a reduction. @param combine  combines an entry with a ghost
    template <typename Combine>
    std::string fault_after_reduction(const Combine& combine) const {
        auto expected = owned_before_;
        for (int other = 0; other < sets_.ranks(); ++other)
            combine_ghosts_of(other, expected, combine);
        if (ghosts_ != ghosts_before_) return "ghosts have changed";
        return difference(owned_, expected, "entry");
    }

    const std::vector<Number>& owned_values() const { return owned_; }

private:
    static constexpr std::ptrdiff_t margin = 4;

    static Number poison() { return static_cast<Number>(-77); }
    static std::size_t rank() { return static_cast<std::size_t>(world_rank()); }

    std::size_t room(std::int64_t entries) const {
        return static_cast<std::size_t>(entries * shape_.extent + 2 * margin);
    }

    /// Small whole numbers, so that sums are exact.
    Number entry_value(int owner, std::int64_t index, int place) const {
        return static_cast<Number>(((owner * 31 + index) * 7 + place) * 5 + salt_ + start_);
    }
    Number ghost_value(int other, std::int64_t position, int place) const {
        return static_cast<Number>(((other * 29 + position) * 5 + place) * 3 + salt_ - start_);
    }

    std::size_t at(std::int64_t entry, int place) const {
        return static_cast<std::size_t>(margin + entry * shape_.extent + place);
    }

    template <typename Value>
    void fill(std::vector<Number>& array, std::int64_t entries, const Value& value) const {
        for (std::int64_t entry = 0; entry < entries; ++entry)
            for (const int place : shape_.places) array[at(entry, place)] = value(entry, place);
    }

    template <typename Combine>
    void combine_ghosts_of(int other, std::vector<Number>& expected, const Combine& combine) const {
        const auto r = static_cast<std::size_t>(other);
        for (std::size_t ghost = 0; ghost < sets_.owners[r].size(); ++ghost) {
            if (sets_.owners[r][ghost] != world_rank()) continue;
            for (const int place : shape_.places) {
                auto& entry = expected[at(sets_.indices[r][ghost], place)];
                entry = combine(entry, ghost_value(other, static_cast<std::int64_t>(ghost), place));
            }
        }
    }

    std::string difference(const std::vector<Number>& found, const std::vector<Number>& expected,
                           const std::string& what) const {
        for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i] != expected[i])
                return what + " at number " +
                       std::to_string(static_cast<std::ptrdiff_t>(i) - margin) + " (extent " +
                       std::to_string(shape_.extent) + ") is " + std::to_string(found[i]) +
                       ", expected " + std::to_string(expected[i]);
        return "";
    }

    const GhostSets& sets_;
    EntryShape shape_;
    int salt_;
    int start_ = 0;
    std::vector<Number> owned_;
    std::vector<Number> ghosts_;
    std::vector<Number> owned_before_;
    std::vector<Number> ghosts_before_;
};

/// The forms of an exchange of ghosts.
inline constexpr Form ghost_forms[] = {Form::blocking, Form::nonblocking, Form::persistent};

}  // namespace carpool::tests
