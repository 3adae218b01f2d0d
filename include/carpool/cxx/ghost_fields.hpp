// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/buffer.hpp>
#include <initializer_list>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

namespace carpool {

/// One field of an exchange of ghosts: the array that it reads and the one that it writes. An
/// update reads entries and writes ghosts, a reduction reads ghosts and writes entries. Each of
/// them has one value, or as many as `values` says, one behind the other. The object does not own
/// the arrays.
class GhostField {
public:
    template <LastingValues From, LastingValues To>
    GhostField(From&& from, To&& to, int values = 1)
        : from_(from), to_(to), length_(length_of<std::ranges::range_value_t<From>>()) {
        static_assert(
            std::is_same_v<std::ranges::range_value_t<From>, std::ranges::range_value_t<To>>,
            "both arrays have values of one type");
        count_ = values * length_;
    }

    const void* from() const { return from_.data; }
    void* to() const { return to_.data; }
    /// The elements of an entry.
    MPI_Count count() const { return count_; }
    MPI_Datatype type() const { return to_.type; }

    /// What is wrong with the lengths of the arrays; empty if nothing is.
    /// @param read     the number of entries or ghosts that are read
    /// @param written  the number of those that are written
    std::string mistake(MPI_Count read, MPI_Count written) const {
        if (from_.count == read * count_ && to_.count == written * count_) return {};
        return "arrays of " + pair(from_.count, to_.count) + " values, expected " +
               pair(read * count_, written * count_);
    }

private:
    std::string pair(MPI_Count one, MPI_Count other) const {
        return std::to_string(one / length_) + " and " + std::to_string(other / length_);
    }

    ConstBuffer from_;
    Buffer to_;
    MPI_Count length_;
    MPI_Count count_;
};

/// The fields of one exchange, which travel in the same messages. Fields may have values of
/// different types. An update of two fields:
///
///     ghosts.update({{heights, heights_of_ghosts}, {velocities, velocities_of_ghosts, 3}});
class GhostFields {
public:
    GhostFields() = default;
    GhostFields(std::initializer_list<GhostField> fields) {
        for (const auto& field : fields) add(field);
    }

    void add(const GhostField& field) {
        fields_.push_back(field);
        from_.push_back(field.from());
        to_.push_back(field.to());
        counts_.push_back(field.count());
        types_.push_back(field.type());
    }

    int size() const { return static_cast<int>(fields_.size()); }

    // Per field, as C takes it.
    const void* const* from() const { return from_.data(); }
    void* const* to() const { return to_.data(); }
    const MPI_Count* counts() const { return counts_.data(); }
    const MPI_Datatype* types() const { return types_.data(); }

    /// What is wrong with the lengths of the arrays, as in GhostField.
    std::string mistake(MPI_Count read, MPI_Count written) const {
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (const auto found = fields_[i].mistake(read, written); !found.empty())
                return "field " + std::to_string(i) + ": " + found;
        return {};
    }

private:
    std::vector<GhostField> fields_;
    std::vector<const void*> from_;
    std::vector<void*> to_;
    std::vector<MPI_Count> counts_;
    std::vector<MPI_Datatype> types_;
};

}  // namespace carpool
