// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace carpool::base {

/// Whether the call that this thread is in comes from Fortran, so that error texts count from 1.
inline thread_local constinit bool called_from_fortran = false;

/// The index that the caller has for element i.
inline std::int64_t callers_index(std::int64_t i) { return called_from_fortran ? i + 1 : i; }

/// "name[i]", or "name(i + 1)" in Fortran: an element of an array in an error text.
std::string element(const std::string& name, std::int64_t i);

/// "name[i * d + k]", or "name(k + 1, i + 1)" in Fortran: coordinate k of offset i in d dimensions.
std::string coordinate(const std::string& name, int i, int k, int d);

}  // namespace carpool::base
