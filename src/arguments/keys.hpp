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

/// Looks into the environment, where keys are in upper case. @pre nobody changes it meanwhile
Lookup in_environment();

/// A digest of all that it may find there.
std::uint64_t digest_of_environment();

/// Looks into an info object; MPI_INFO_NULL has no keys. @pre info lives as long as the result
Lookup in_info(MPI_Info info);

/// Throws MPI_ERR_INFO_VALUE, which names key, source, value and what was expected.
[[noreturn]] void refuse(const Setting& setting, const std::string& expected);

// Readers of values. Throw as refuse() does.

/// At least 0.
double seconds(const Setting& setting);

/// A number from 1 on. @param what  it is, for the error text
std::int64_t positive(const Setting& setting, const std::string& what);

bool truth(const Setting& setting);

/// "2", or "8x8".
routing::Digits digits(const Setting& setting);

/// Throws as refuse() does, of carpool_digits, where these do not tell all ranks apart.
void check_digits(const routing::Digits& digits, Source source, int ranks);

}  // namespace carpool::arguments
