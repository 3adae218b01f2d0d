#include "report/report.hpp"

#include "base/json.hpp"
#include "engine/preparation.hpp"
#include "mpi/library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carpool::report {
namespace {

using base::Json;

/// One algorithm that has been used.
struct Line {
    const Record::Key* key;
    const Record* record;

    /// Not all starts were timed.
    bool is_estimated() const { return record->starts.timed() < record->starts.count(); }

    /// Seconds, against MPI's own collective each time, where that was measured.
    std::optional<double> saved() const {
        if (record->host_seconds == 0 || key->algorithm == engine::host) return std::nullopt;
        const auto& starts = record->starts;
        return (record->host_seconds - starts.median()) * static_cast<double>(starts.count());
    }
};

/// What took longest comes first.
std::vector<Line> lines_of(const Records& records) {
    std::vector<Line> lines;
    for (const auto& [key, record] : records) {
        if (record.starts.count() > 0) lines.push_back({&key, &record});
    }
    std::ranges::stable_sort(lines, std::ranges::greater(),
                             [](const Line& line) { return line.record->starts.sum(); });
    return lines;
}

std::string spoken(double seconds) {
    std::ostringstream out;
    const double size = std::abs(seconds);
    const auto [scale, unit] = size >= 1      ? std::pair(1.0, " s")
                               : size >= 1e-3 ? std::pair(1e3, " ms")
                                              : std::pair(1e6, " us");
    out << std::setprecision(3) << seconds * scale << unit;
    return out.str();
}

std::string spoken(const std::optional<double>& seconds) { return seconds ? spoken(*seconds) : ""; }

/// How many on the node, and how many to others if any can be.
std::string both(std::int64_t within, std::int64_t between) {
    return std::to_string(within) + (between > 0 ? " + " + std::to_string(between) : "");
}

using Row = std::array<std::string, 12>;

const Row headings = {"communicator", "ranks", "operation", "done by", "starts", "messages",
                      "bytes",        "guess", "median",    "host's",  "in all", "saved"};
constexpr std::size_t words = 4;  // first columns, to the left but for the ranks

Row row_of(const Line& line) {
    const auto& [problem, algorithm] = *line.key;
    const auto& [forecast, starts, host_seconds] = *line.record;
    const auto& [within, between] = forecast.sent;
    const bool guessed = forecast.seconds > 0;
    return {problem.comm,
            std::to_string(problem.ranks),
            problem.operation,
            algorithm,
            std::to_string(starts.count()),
            both(within.messages, between.messages),
            both(within.bytes, between.bytes),
            guessed ? spoken(forecast.seconds) : "",
            spoken(starts.median()),
            host_seconds > 0 ? spoken(host_seconds) : "",
            (line.is_estimated() ? "~" : "") + spoken(starts.sum()),
            spoken(line.saved())};
}

std::string table_of(const std::vector<Row>& rows) {
    std::array<std::size_t, headings.size()> widths = {};
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::ostringstream out;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << "  " << (i < words && i != 1 ? std::left : std::right)
                << std::setw(static_cast<int>(widths[i])) << row[i];
        out << '\n';
    }
    return out.str();
}

void print(const std::vector<Line>& lines) {
    std::vector<Row> rows{headings};
    double saved = 0;
    for (const auto& line : lines) {
        rows.push_back(row_of(line));
        saved += line.saved().value_or(0);
    }
    std::cerr << "\ncarpool: what rank 0 has done; messages and bytes of a start, on its node + to "
                 "other nodes\n"
              << table_of(rows);
    if (std::ranges::any_of(lines, &Line::is_estimated))
        std::cerr << "  ~ estimated: of many short starts some are timed\n";
    if (saved != 0)
        std::cerr << "  " << spoken(saved) << " saved against MPI's own, where that was measured\n";
    std::cerr << std::flush;
}

void describe(const Line& line, Json& json) {
    const auto& [problem, algorithm] = *line.key;
    const auto& forecast = line.record->forecast;
    const auto& starts = line.record->starts;
    const auto& [within, between] = forecast.sent;
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    json.member("communicator") = problem.comm;
    json.member("ranks") = number(problem.ranks);
    json.member("operation") = problem.operation;
    json.member("size_class") = number(problem.size_class);
    json.member("algorithm") = algorithm;
    json.member("starts") = number(starts.count());
    json.member("timed") = number(starts.timed());
    json.member("messages_within") = number(within.messages);
    json.member("messages_between") = number(between.messages);
    json.member("bytes_within") = number(within.bytes);
    json.member("bytes_between") = number(between.bytes);
    json.member("guess") = forecast.seconds;
    json.member("median") = starts.median();
    json.member("seconds") = starts.sum();
    if (const auto saved = line.saved()) json.member("saved") = *saved;
}

void write(const std::vector<Line>& lines, const std::string& file) {
    Json content;
    content.member("carpool_report") = 1.0;
    content.member("rank") = 0.0;
    auto& list = content.member("lines");
    for (const auto& line : lines) describe(line, list.append());
    std::ofstream out(file);
    out << content.text();
    if (!out.flush())
        std::cerr << "carpool: CARPOOL_REPORT in the environment is " << file
                  << ", which cannot be written; expected summary or a file\n";
}

std::string variable() {
    const char* const text = std::getenv("CARPOOL_REPORT");
    return text != nullptr ? text : "";
}

/// In letters of any case.
bool is_summary(const std::string& text) {
    return std::ranges::equal(text, std::string_view("summary"),
                              [](unsigned char a, char b) { return std::tolower(a) == b; });
}

/// A word without a dot or slash is rather a misspelt summary than a file.
bool is_file(const std::string& text) { return text.find_first_of("./") != std::string::npos; }

}  // namespace

bool report_wanted() {
    const auto text = variable();
    const bool wanted = is_summary(text) || is_file(text);
    if (!text.empty() && !wanted && mpi::rank_in_world() == 0)
        std::cerr << "carpool: CARPOOL_REPORT in the environment is " << text
                  << ", expected summary, or a file whose name has a dot or a slash\n";
    return wanted;
}

void report(const Records& records) {
    const auto lines = lines_of(records);
    const auto how = variable();
    if (is_summary(how))
        print(lines);
    else
        write(lines, how);
}

}  // namespace carpool::report
