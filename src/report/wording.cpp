// SPDX-License-Identifier: MIT
#include "report/wording.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace carpool::report {
namespace {

/// A time in seconds, milliseconds or microseconds.
struct TimeUnit {
    double scale;
    const char* name;
};

TimeUnit unit_of(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 1) return {1, " s"};
    return size >= 1e-3 ? TimeUnit{1e3, " ms"} : TimeUnit{1e6, " us"};
}

}  // namespace

std::string in_digits(double number, int digits) {
    std::ostringstream out;
    if (std::abs(number) >= std::pow(10, digits) - 0.5)
        out << std::fixed << std::setprecision(0);
    else
        out << std::setprecision(digits);
    out << number;
    return out.str();
}

std::string in_seconds(double seconds) {
    const auto unit = unit_of(seconds);
    return in_digits(seconds * unit.scale) + unit.name;
}

std::string in_seconds(double mean, double first_quartile, double third_quartile) {
    const auto [scale, name] = unit_of(std::max(mean, third_quartile));
    return in_digits(mean * scale) + " (" + in_digits(first_quartile * scale, 2) + "-" +
           in_digits(third_quartile * scale, 2) + ")" + name;
}

std::string in_bytes(std::int64_t least, std::int64_t most) {
    constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB"};
    double scale = 1;
    std::size_t unit = 0;
    for (; static_cast<double>(most) >= 1024 * scale && unit + 1 < units.size(); ++unit)
        scale *= 1024;
    const auto text = [&](std::int64_t bytes) {
        return unit == 0 ? std::to_string(bytes) : in_digits(static_cast<double>(bytes) / scale);
    };
    return (least < most ? text(least) + "-" : "") + text(most) + units[unit];
}

std::string in_percent(double share) {
    constexpr double least = 0.0005;  // which is rounded to 0.1 %
    if (share < least) return share > 0 ? "<0.1 %" : "0 %";
    std::ostringstream out;
    out << std::fixed << std::setprecision(share < 0.0995 ? 1 : 0) << 100 * share << " %";
    return out.str();
}

std::string in_lines(std::string_view text, const std::string& indent) {
    std::string result, line = indent;
    bool is_empty = true;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        if (!is_empty && line.size() + 1 + word.size() > columns) {
            result += line + '\n';
            line = indent + "  ";
            is_empty = true;
        }
        line += (is_empty ? "" : " ") + word;
        is_empty = false;
    }
    return is_empty ? result : result + line + '\n';
}

}  // namespace carpool::report
