// SPDX-License-Identifier: MIT
#pragma once

#include "routing/digits.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace carpool::arguments {

/// Where a key is set.
enum class Source { info, environment };

/// What a key such as "carpool_alpha" is set to.
struct Setting {
    std::string key;
    std::string text;
    Source source;
};

/// A key's setting, if there is one.
using Lookup = std::function<std::optional<Setting>(const std::string& key)>;

/// Looks keys up in the environment, where they are in upper case.
/// @pre the environment does not change meanwhile
Lookup in_environment();

/// A digest of all variables that in_environment() looks at.
std::uint64_t digest_of_environment();

/// Looks keys up in an info object; MPI_INFO_NULL has none. @pre info lives as long as the result
Lookup in_info(MPI_Info info);

/// Throws MPI_ERR_INFO_VALUE, which names key, source, value and what was expected.
[[noreturn]] void refuse(const Setting& setting, const std::string& expected);

// The functions that read a value throw as refuse() does.

/// A number of seconds, at least 0.
double seconds(const Setting& setting);

/// An integer, at least 1. @param what  what the integer is, for the error text
std::int64_t positive(const Setting& setting, const std::string& what);

/// A text such as "2" or "8x8".
routing::Digits digits(const Setting& setting);

/// Throws for carpool_digits, as refuse() does, if these digits have fewer values than there are
/// ranks.
void check_digits(const routing::Digits& digits, Source source, int ranks);

}  // namespace carpool::arguments
