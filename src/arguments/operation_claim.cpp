// SPDX-License-Identifier: MIT
#include "arguments/operation_claim.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace carpool::arguments {
namespace {

// Claims have these values: first those of Other, then of the neighborhood operations, then of each
// kind, once with a single count and once with a count per rank.

constexpr const char* others[] = {
    "a halo exchange",     "a sparse exchange",           "a bundle",
    "sparse_alltoallv",    "the first on a neighborhood", "a creation of ghosts",
    "an update of ghosts", "a reduction of ghosts"};

std::size_t first_kind() { return std::size(others) + schedule::operations().size(); }

std::string text_of(std::size_t what) {
    if (what < std::size(others)) return others[what];
    if (what < first_kind())
        return "neighbor_" + std::string(name_of(schedule::operations()[what - std::size(others)]));
    const auto kind = (what - first_kind()) / 2;
    const bool varies = (what - first_kind()) % 2 == 1;
    return std::string(name_of(collectives::kinds()[kind])) +
           (varies ? " with a count per rank" : "");
}

mpi::Claim claim(std::size_t what) {
    return {"collective operation, or its form with _init or without,",
            {static_cast<std::int64_t>(what)},
            {},
            [](std::size_t, std::int64_t value) {
                return mpi::Wording{"collective operation",
                                    text_of(static_cast<std::size_t>(value))};
            }};
}

std::size_t number_of(Other other) { return static_cast<std::size_t>(other); }

std::size_t number_of(schedule::Operation operation) {
    return std::size(others) + static_cast<std::size_t>(operation);
}

std::size_t number_of(collectives::Kind kind, bool varies) {
    return first_kind() + 2 * static_cast<std::size_t>(kind) + (varies ? 1 : 0);
}

using Functions = std::map<std::string, std::size_t, std::less<>>;

/// The claim's value by function name. reduce_scatter has a count per rank, though no v in its
/// name.
Functions names_of_functions() {
    using collectives::Kind;
    Functions names{{"sparse_exchange", number_of(Other::sparse_exchange)},
                    {"ghosts_update", number_of(Other::ghosts_update)},
                    {"ghosts_reduce", number_of(Other::ghosts_reduce)},
                    {"sparse_alltoallv", number_of(schedule::Operation::alltoall)}};
    for (const auto operation : schedule::operations())
        names["neighbor_" + std::string(name_of(operation))] = number_of(operation);
    for (const std::string shape : {"v", "w"}) {
        names["neighbor_alltoall" + shape] = number_of(schedule::Operation::alltoall);
        names["neighbor_allgather" + shape] = number_of(schedule::Operation::allgather);
    }
    for (const auto kind : collectives::kinds())
        names[std::string(name_of(kind))] = number_of(kind, kind == Kind::reduce_scatter);
    names["reduce_scatter_block"] = number_of(Kind::reduce_scatter, false);
    for (const auto kind : {Kind::gather, Kind::scatter, Kind::allgather, Kind::alltoall})
        names[std::string(name_of(kind)) + "v"] = number_of(kind, true);
    names["alltoallw"] = number_of(Kind::alltoall, true);
    return names;
}

}  // namespace

mpi::Claim operation_claim(schedule::Operation operation) { return claim(number_of(operation)); }

mpi::Claim operation_claim(collectives::Kind kind, bool varies) {
    return claim(number_of(kind, varies));
}

mpi::Claim operation_claim(Other other) { return claim(number_of(other)); }

mpi::Claim in_form(mpi::Claim operation, bool is_init) {
    operation.values.push_back(is_init ? 1 : 0);
    return operation;
}

std::optional<std::int64_t> operation_named(std::string_view function) {
    static const auto names = names_of_functions();
    const auto found = names.find(function);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::int64_t>(found->second);
}

}  // namespace carpool::arguments
