#pragma once

#include <cstdint>

namespace carpool::call {

/// Another number at each call, which no other process is likely to have drawn. Local.
std::uint64_t drawn_number();

}  // namespace carpool::call
