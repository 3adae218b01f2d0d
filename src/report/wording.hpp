// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace carpool::report {

inline constexpr std::size_t columns = 80;  ///< the width of texts

/// A number to so many digits, or to all of those before the point.
std::string in_digits(double number, int digits = 3);

/// "1.5 ms", in seconds, milliseconds or microseconds.
std::string in_seconds(double seconds);

/// "1.5 (1.2-1.7) ms": a mean and quartiles.
std::string in_seconds(double mean, double first_quartile, double third_quartile);

/// "24 B", or "33-64 B" if they differ.
std::string in_bytes(std::int64_t least, std::int64_t most);

/// "8.1 %"
std::string in_percent(double share);

/// The text in lines of at most that many columns, each behind the indent; those after the first
/// are indented by two more columns.
std::string in_lines(std::string_view text, const std::string& indent);

}  // namespace carpool::report
