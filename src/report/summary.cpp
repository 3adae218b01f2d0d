#include "report/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

namespace carpool::report {
namespace {

/// A time in seconds, milliseconds or microseconds.
struct Unit {
    double scale;
    const char* name;
};

Unit unit_of(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 1) return {1, " s"};
    return size >= 1e-3 ? Unit{1e3, " ms"} : Unit{1e6, " us"};
}

std::string digits_of(double number) {
    std::ostringstream out;
    out << std::setprecision(3) << number;
    return out.str();
}

std::string spoken(double seconds) {
    const auto unit = unit_of(seconds);
    return digits_of(seconds * unit.scale) + unit.name;
}

/// The mean and, unless they are few, the quartiles in the same unit.
std::string times_of(const Starts& starts) {
    constexpr std::int64_t few = 4;
    if (starts.timed() < few) return spoken(starts.mean());
    const double first = starts.quantile(0.25), third = starts.quantile(0.75);
    const auto unit = unit_of(std::max(starts.mean(), third));
    return digits_of(starts.mean() * unit.scale) + " (" + digits_of(first * unit.scale) + "-" +
           digits_of(third * unit.scale) + ")" + unit.name;
}

std::string size_of(const Line& line) {
    constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB"};
    double bytes = most_bytes(line.key->subject.size_class);
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return digits_of(bytes) + units[unit];
}

/// The messages within the node, and those to other nodes if there are any.
std::string messages_of(const Line& line) {
    const auto& [within, between] = line.record->forecast.sent;
    return std::to_string(within.messages) +
           (between.messages > 0 ? "+" + std::to_string(between.messages) : "");
}

using Row = std::array<std::string, 6>;

const Row headings = {"size", "algorithm", "starts", "messages", "mean (quartiles)", "in all"};
constexpr std::size_t left = 1;  // the column whose words begin at its left side

Row row_of(const Line& line) {
    const auto& starts = line.record->starts;
    return {size_of(line),
            line.key->algorithm,
            std::to_string(starts.count()),
            messages_of(line),
            times_of(starts),
            (line.is_estimated() ? "~" : "") + spoken(starts.sum())};
}

std::string table_of(const std::vector<Row>& rows) {
    std::array<std::size_t, headings.size()> widths = {};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::ostringstream out;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << "  " << (i == left ? std::left : std::right)
                << std::setw(static_cast<int>(widths[i])) << row[i];
        out << '\n';
    }
    return out.str();
}

void print(const Group& group) {
    const auto& subject = group.subject();
    std::vector<Row> rows{headings};
    for (const auto& line : group.lines) rows.push_back(row_of(line));
    std::cerr << '\n'
              << subject.operation << " on communicator " << subject.comm << ", " << subject.ranks
              << (subject.ranks == 1 ? " rank\n" : " ranks\n") << table_of(rows);
    for (const auto& line : group.lines)
        if (const auto saved = line.saved())
            std::cerr << "  " << line.key->algorithm << ", " << size_of(line) << ": "
                      << spoken(std::abs(*saved)) << (*saved < 0 ? " lost" : " saved")
                      << " against the host MPI (measured)\n";
}

void print(const HostCalls& calls) {
    if (calls.empty()) return;
    std::cerr << "\ncalls that the host MPI made\n";
    std::size_t widest = 0;
    for (const auto& [call, count] : calls) widest = std::max(widest, call.first.size());
    for (const auto& [call, count] : calls)
        std::cerr << "  " << std::left << std::setw(static_cast<int>(widest)) << call.first << "  "
                  << std::right << std::setw(9) << count << "  " << call.second << '\n';
}

}  // namespace

void print_summary(const std::vector<Group>& groups, const HostCalls& host_calls) {
    std::cerr << "\ncarpool: what rank 0 has done\n";
    for (const auto& group : groups) print(group);
    print(host_calls);
    if (groups.empty()) return;
    std::cerr << "\nSize: bytes that a rank sends, rounded up to a power of two. Messages: per\n"
                 "start, within the node + to other nodes. ~: estimated from a sample of starts.\n"
              << std::flush;
}

}  // namespace carpool::report
