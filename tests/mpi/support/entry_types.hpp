// SPDX-License-Identifier: MIT
#pragma once

#include "datatypes.hpp"
#include "entry_array.hpp"
#include "ghost_trial.hpp"
#include "handles.hpp"
#include "user_operators.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace carpool::tests {

/// Datatypes for entries of as many bytes, so that ranks may give different ones.
class EntryTypes {
public:
    EntryTypes() {
        for (const auto& kind : kinds_of_six_ints())
            if (!kind.only_sends) add(kind.make(), 1);
        add(FarAffine::type(), 3);
        add(six_ints::resized(six_ints::contiguous(), 0, -24), 1);
        for (const auto& [type, number] :
             {Unit{MPI_INT, 6}, Unit{MPI_BYTE, 24}, Unit{MPI_DOUBLE, 3}, Unit{MPI_SHORT, 12}})
            units_.push_back({type, number});
    }

    /// A layout of units of 24 bytes. The numbers of an entry may be far apart, as in arrays of
    /// components; the trial owns the type of these.
    /// @param entries  how many there are at most
    EntryLayout layout(std::uint32_t number, int units, std::int64_t entries,
                       GhostTrial& trial) const {
        const auto which = number % (units_.size() + 2);
        if (which < units_.size()) return {units * units_[which].number, units_[which].type};
        trial.own(by_components(std::max<std::int64_t>(1, entries * units)));
        return {units, trial.latest_type()};
    }

private:
    struct Unit {
        MPI_Datatype type;
        int number;
    };

    void add(MPI_Datatype type, int number) {
        types_.push_back(committed(type));
        units_.push_back({types_.back(), number});
    }

    static Type by_components(std::int64_t entries) {
        return committed(
            six_ints::resized(six_ints::vector(6, 1, static_cast<int>(entries)), 0, sizeof(int)));
    }

    std::vector<Type> types_;
    std::vector<Unit> units_;
};

}  // namespace carpool::tests
