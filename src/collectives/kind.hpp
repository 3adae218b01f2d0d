#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace carpool::collectives {

/// What all ranks of a communicator do together. MPI's forms with sizes or types of their own per
/// rank are of the same kind.
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

/// All of them.
std::span<const Kind> kinds();

/// "bcast", as MPI writes it in lower case.
std::string_view name_of(Kind kind);

/// The kind of that name, if there is one.
std::optional<Kind> find_kind(std::string_view name);

/// Are blocks summed by an operator?
bool reduces(Kind kind);

/// Is one rank the root?
bool has_root(Kind kind);

}  // namespace carpool::collectives
