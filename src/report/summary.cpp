// SPDX-License-Identifier: MIT
#include "report/summary.hpp"

#include "report/groups.hpp"
#include "report/host_reasons.hpp"
#include "report/wording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <map>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

namespace carpool::report {
namespace {

using Row = std::vector<std::string>;

/// Rows with headings in the first one. Columns are as wide as they need to be.
/// @param words  the number of the column whose words begin at its left
std::string in_columns(const std::vector<Row>& rows, std::size_t words, const std::string& indent) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        std::ostringstream line;
        line << indent;
        for (std::size_t i = 0; i < row.size(); ++i)
            line << (i == 0 ? "" : "  ") << (i == words ? std::left : std::right)
                 << std::setw(static_cast<int>(widths[i])) << row[i];
        text += line.str().substr(0, line.str().find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string share_of(double seconds, const RecordedCalls& all) {
    return in_percent(seconds / all.run_seconds) + " of the run";
}

/// The mean and, unless they are few, the quartiles in the same unit.
std::string times_of(const Starts& starts) {
    constexpr std::int64_t few = 4;
    if (starts.count() == 0) return "?";
    if (starts.timed() < few) return in_seconds(starts.mean());
    return in_seconds(starts.mean(), starts.quantile(0.25), starts.quantile(0.75));
}

/// The messages within the node, and those to other nodes if there are any.
std::string messages_of(const Record& record) {
    const auto& [within, between] = record.forecast.sent;
    return std::to_string(within.messages) +
           (between.messages > 0 ? "+" + std::to_string(between.messages) : "");
}

// ---- starts by algorithm ----

Row row_of(const Line& line) {
    const auto& [key, record] = line;
    const auto& [least, most] = record.bytes;
    return {(least < most ? "<=" : "") + in_bytes(most, most),
            key.algorithm,
            std::to_string(record.starts.count()),
            messages_of(record),
            times_of(record.starts),
            (line.is_estimated() ? "~" : "") + in_seconds(record.starts.charged())};
}

std::string savings_of(const Line& line) {
    const auto saved = line.saved();
    if (!saved) return "";
    return "  " + line.key.algorithm + ", " + row_of(line).front() + ": " +
           in_seconds(std::abs(*saved)) + (*saved < 0 ? " lost" : " saved") +
           " against the host MPI (measured)\n";
}

std::string table_of_starts(const Group& group) {
    std::vector<Row> rows{
        {"size", "algorithm", "starts", "messages", "mean (quartiles)", "in all"}};
    for (const auto& line : group.lines) rows.push_back(row_of(line));
    auto text = in_columns(rows, 1, "  ");
    for (const auto& line : group.lines) text += savings_of(line);
    return text;
}

// ---- calls of an unchanged program, by who made them ----

Row row_of(const char* maker, const Calls& calls) {
    return {in_bytes(calls.bytes.least, calls.bytes.most), maker, std::to_string(calls.count()),
            times_of(calls.ended), in_seconds(calls.charged())};
}

void add_rows(std::vector<Row>& rows, const SizeLine& line) {
    const auto add = [&](const char* maker, const Calls& calls, const std::string& ratio) {
        if (calls.count() == 0) return;
        rows.push_back(row_of(maker, calls));
        rows.back().push_back(ratio);
    };
    const auto ratio = line.ratio();
    add("MPI", line.hosts, "");
    add("Carpool", line.carpools, ratio ? in_digits(*ratio, 2) : "");
}

/// "Carpool's by spread: 356 starts, 3 messages each."
std::string algorithms_of(const Group& group) {
    std::map<std::pair<std::string, std::string>, std::int64_t> starts;
    for (const auto& [key, record] : group.lines)
        starts[{key.algorithm, messages_of(record)}] += record.starts.count();
    std::string text;
    for (const auto& [what, count] : starts)
        text += (text.empty() ? "Carpool's by " : "; by ") + what.first + ": " +
                std::to_string(count) + (count == 1 ? " start, " : " starts, ") + what.second +
                (what.second == "1" ? " message each" : " messages each");
    return in_lines(text, "  ");
}

std::string table_of_calls(const Group& group) {
    std::vector<Row> rows{{"size", "made by", "calls", "mean (quartiles)", "in all", "of MPI's"}};
    for (const auto& line : group.sizes) add_rows(rows, line);
    return in_columns(rows, 1, "  ") + algorithms_of(group);
}

/// What was called, and its cost; in two lines if it does not fit into one.
std::string heading_of(const Group& group, const RecordedCalls& all) {
    const auto cost = in_seconds(group.charged()) + ", " + share_of(group.charged(), all);
    const auto line = group.title() + ": " + cost;
    return line.size() <= columns ? line + "\n" : in_lines(group.title(), "") + "  " + cost + "\n";
}

std::string table_of(const Group& group, const RecordedCalls& all) {
    auto text = "\n" + heading_of(group, all);
    if (!group.made.empty()) text += in_lines("(" + group.made + ")", "");
    return text + (group.sizes.empty() ? table_of_starts(group) : table_of_calls(group));
}

// ---- calls that the host made ----

std::string table_of(const HostReason& reason, const RecordedCalls& all) {
    std::vector<Row> rows;
    for (const auto& [operation, calls] : reason.operations)
        rows.push_back({operation, std::to_string(calls.count), in_seconds(calls.charged),
                        share_of(calls.charged, all)});
    const auto remedy = reason.remedy();
    return in_lines(reason.why + (remedy.empty() ? "" : ": " + remedy), "  ") +
           in_columns(rows, 0, "    ");
}

std::string table_of_host_calls(const RecordedCalls& all) {
    std::string text;
    for (const auto& reason : host_reasons_of(all.host_calls)) text += table_of(reason, all);
    return text.empty() ? "" : "\ncalls that MPI made, and what would change that\n" + text;
}

// ---- the whole ----

/// Sizes of which both Carpool and the host have made some calls.
struct ComparedSizes {
    std::int64_t calls = 0;  ///< Carpool's
    double carpools = 0, first = 0, hosts = 0;
    bool vary = false;

    void add(const SizeLine& line) {
        calls += line.carpools.count();
        carpools += line.carpools.charged();
        first += line.carpools.ended.cold.charged();
        hosts += line.by_host();
        vary = vary || line.varies();
    }
};

/// What Carpool's calls took, and what they would have taken the host, where both made some.
std::string comparison_of(const std::vector<Group>& groups) {
    ComparedSizes all;
    for (const auto& group : groups)
        for (const auto& line : group.sizes)
            if (line.ratio()) all.add(line);
    if (all.calls == 0) return "";
    const std::string varying =
        " Of some sizes a few long calls make up most of the time, so this says little.";
    return in_lines("Carpool took " + in_seconds(all.carpools) + " for " +
                        std::to_string(all.calls) + " calls, " + in_seconds(all.first) +
                        " of it in first ones; at the mean of MPI's own calls of these sizes, "
                        "they would have taken about " +
                        in_seconds(all.hosts) + "." + (all.vary ? varying : ""),
                    "");
}

constexpr const char* about_size = "Size: bytes that rank 0 sends or, if it sends none, receives.";

constexpr const char* about_starts =
    "Messages: per start, within the node + to other nodes. Mean: from a start to its end, without "
    "first ones. In all: the time in which starts were under way, with first ones, shared by those "
    "that were at the same time. ~: estimated from a sample of starts.";

constexpr const char* about_calls =
    "Made by MPI or Carpool: mean from a call to the return of the one that completes it, without "
    "first ones. In all: the time inside calls, with first ones, which may take as long as "
    "hundreds of others. Of MPI's: Carpool's median as a part of MPI's.";

constexpr const char* about_open =
    "?: calls whose end is not seen, since functions of a tool complete them; their time is that "
    "of "
    "the calls that begin them.";

std::string legend_of(std::span<const Group> shown) {
    bool starts = false, calls = false, open = false;
    for (const auto& group : shown) {
        (group.sizes.empty() ? starts : calls) = true;
        for (const auto& line : group.sizes) open |= line.hosts.open + line.carpools.open > 0;
    }
    if (!starts && !calls) return "";
    auto text = "\n" + in_lines(about_size, "");
    if (calls) text += in_lines(about_calls, "");
    if (open) text += in_lines(about_open, "");
    if (starts) text += in_lines(about_starts, "");
    return text;
}

/// What is not shown, for there would be no end to it.
std::string rest_of(std::span<const Group> rest, const RecordedCalls& all) {
    if (rest.empty()) return "";
    double charged = 0;
    for (const auto& group : rest) charged += group.charged();
    return "\n" + in_lines("and " + std::to_string(rest.size()) + " more tables, of " +
                               in_seconds(charged) + ", " + share_of(charged, all) +
                               "; CARPOOL_REPORT=FILE has all",
                           "");
}

}  // namespace

std::string summary_of(const RecordedCalls& all) {
    constexpr std::size_t most_shown = 16;
    auto groups = groups_of(all);
    const auto comparison = comparison_of(groups);
    std::erase_if(groups, [](const Group& group) {  // they have only calls that the host made
        return !group.sizes.empty() && !group.has_carpools_calls();
    });
    const std::span tables(groups);
    const auto shown = tables.first(std::min(tables.size(), most_shown));
    auto text = "\ncarpool: what rank 0 has done, in a run of " + in_seconds(all.run_seconds) +
                "\n" + comparison;
    for (const auto& group : shown) text += table_of(group, all);
    return text + rest_of(tables.subspan(shown.size()), all) + table_of_host_calls(all) +
           legend_of(shown);
}

}  // namespace carpool::report
