// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// Each program of this folder is one reader of text or bytes from outside. libFuzzer calls it with
// inputs of its own, and reports what aborts: the sanitizers, CARPOOL_EXPECTS, an exception that
// nobody has caught, and an input that takes too long.

namespace fuzz {

/// Reads one input, or refuses it. Every program defines it.
void read(const std::string& input);

}  // namespace fuzz
