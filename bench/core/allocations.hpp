// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// The bytes that operator new has given out and that are not deleted yet, in the whole process.
std::int64_t allocated_bytes();

/// The most that these have been since the last call of `forget_most`.
std::int64_t most_allocated_bytes();
void forget_most();
