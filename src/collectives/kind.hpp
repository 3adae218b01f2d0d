// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace carpool::collectives {

/// A collective operation. MPI's variants with counts or datatypes for each rank (v and w) are of
/// the same kind.
enum class Kind {
    barrier,
    bcast,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce,
    allreduce,
    reduce_scatter,
    scan,
    exscan,
};

/// All kinds.
std::span<const Kind> kinds();

/// The name in lower case, as in MPI: "bcast".
std::string_view name_of(Kind kind);

/// The kind of that name, if there is one.
std::optional<Kind> find_kind(std::string_view name);

/// Whether blocks are summed by an operator.
bool reduces(Kind kind);

/// Whether one rank is the root.
bool has_root(Kind kind);

}  // namespace carpool::collectives
