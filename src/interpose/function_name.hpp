// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::interpose {

/// What the name of a function of MPI says.
struct NamedFunction {
    std::size_t operation;  ///< its index in names_of_operations
    bool is_init;           ///< it makes a persistent request
};

/// The index of an operation by the name of its blocking function, without MPI_.
inline std::optional<std::size_t> operation_named(std::string_view name) {
    std::string word(name);
    if (!word.empty()) word.front() = static_cast<char>(std::tolower(word.front()));
    const auto* const found = std::ranges::find(names_of_operations, word);
    if (found == std::end(names_of_operations)) return {};
    return found - std::begin(names_of_operations);
}

/// Reads the name of a collective in C, such as MPI_Ineighbor_alltoall_c; nothing for other names.
inline std::optional<NamedFunction> function_named(std::string_view name) {
    constexpr std::string_view prefix = "MPI_", large = "_c", init = "_init";
    if (!name.starts_with(prefix)) return {};
    name.remove_prefix(prefix.size());
    if (name.ends_with(large)) name.remove_suffix(large.size());
    const bool is_init = name.ends_with(init);
    if (is_init) name.remove_suffix(init.size());
    auto operation = operation_named(name);
    if (!operation && name.starts_with('I')) operation = operation_named(name.substr(1));
    if (!operation) return {};
    return NamedFunction{*operation, is_init};
}

}  // namespace carpool::interpose
