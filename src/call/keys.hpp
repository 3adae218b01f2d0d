#pragma once

#include "routing/digits.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace carpool::call {

/// Value of a key such as "carpool_alpha", if it is set.
using Lookup = std::function<std::optional<std::string>(const std::string& key)>;

/// Looks into the environment, where keys are in upper case. @pre nobody changes it meanwhile
Lookup in_environment();

/// Looks into an info object; MPI_INFO_NULL has no keys. @pre info lives as long as the result
Lookup in_info(MPI_Info info);

/// Throws MPI_ERR_INFO_VALUE, which names key, value and what was expected.
[[noreturn]] void refuse(const std::string& key, const std::string& value,
                         const std::string& expected);

// Readers of values. Throw as refuse() does.

/// At least 0.
double seconds(const std::string& key, const std::string& text);

/// A number from 1 on. @param what  it is, for the error text
std::int64_t positive(const std::string& key, const std::string& text, const std::string& what);

bool truth(const std::string& key, const std::string& text);

/// "2", or "8x8".
routing::Digits digits(const std::string& key, const std::string& text);

/// Throws as refuse() does, of carpool_digits, where these do not tell all ranks apart.
void check_digits(const routing::Digits& digits, int ranks);

}  // namespace carpool::call
