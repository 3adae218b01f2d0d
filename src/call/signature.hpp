#pragma once

#include "call/cache.hpp"
#include "call/side.hpp"

#include <cstdint>
#include <cstring>

namespace carpool::call {

/// Tell the families apart where what they do is remembered: calls of two are never the same.
inline constexpr std::int64_t family_of_neighborhoods = 1;
inline constexpr std::int64_t family_of_collectives = 2;
inline constexpr std::int64_t family_of_sparse_exchanges = 3;

/// A handle of MPI's as a number.
template <typename Handle>
std::int64_t bits_of(Handle handle) {
    std::int64_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}

/// Adds one side of so many blocks. False if a type is not predefined: a derived one could be
/// another under the same handle next time.
/// @pre check_arrays
bool sign(Signature& signature, const Side& side, int blocks);

}  // namespace carpool::call
