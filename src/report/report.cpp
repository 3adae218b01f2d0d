// SPDX-License-Identifier: MIT
#include "report/report.hpp"

#include "base/json.hpp"
#include "mpi/use.hpp"
#include "report/groups.hpp"
#include "report/host_reasons.hpp"
#include "report/summary.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

namespace carpool::report {
namespace {

using base::Json;

Json& add(Json& list, std::initializer_list<std::pair<const char*, double>> numbers) {
    auto& entry = list.append();
    for (const auto& [name, value] : numbers) entry.member(name) = value;
    return entry;
}

double number(std::int64_t value) { return static_cast<double>(value); }

void describe(Json& entry, const Group& group) {
    entry.member("communicator") = group.comms;
    entry.member("operation") = group.operation;
    entry.member("several") = group.are_several ? 1.0 : 0.0;
    if (!group.made.empty()) entry.member("made") = group.made;
}

void add_line(Json& list, const Group& group, const Line& line) {
    const auto& [key, record] = line;
    const auto& starts = record.starts;
    const auto& [within, between] = record.forecast.sent;
    auto& entry = add(list, {{"ranks", number(group.ranks)},
                             {"persistent", group.persistent ? 1 : 0},
                             {"size_class", number(key.subject.size_class)},
                             {"size", number(record.bytes.most)},
                             {"least_size", number(record.bytes.least)},
                             {"starts", number(starts.count())},
                             {"timed", number(starts.timed())},
                             {"messages_within", number(within.messages)},
                             {"messages_between", number(between.messages)},
                             {"bytes_within", number(within.bytes)},
                             {"bytes_between", number(between.bytes)},
                             {"guess", record.forecast.seconds},
                             {"median", starts.median()},
                             {"mean", starts.mean()},
                             {"first_quartile", starts.quantile(0.25)},
                             {"third_quartile", starts.quantile(0.75)},
                             {"chosen", number(record.chosen)},
                             {"seconds", starts.charged()}});
    describe(entry, group);
    entry.member("algorithm") = key.algorithm;
    if (const auto saved = line.saved()) entry.member("saved") = *saved;
}

Json& add_calls(Json& list, const Group& group, int size_class, const char* maker,
                const Calls& calls) {
    auto& entry = add(list, {{"ranks", number(group.ranks)},
                             {"size_class", number(size_class)},
                             {"size", number(calls.bytes.most)},
                             {"least_size", number(calls.bytes.least)},
                             {"calls", number(calls.count())},
                             {"ended", number(calls.ended.count())},
                             {"median", calls.ended.median()},
                             {"mean", calls.ended.mean()},
                             {"first_quartile", calls.ended.quantile(0.25)},
                             {"third_quartile", calls.ended.quantile(0.75)},
                             {"seconds", calls.charged()}});
    describe(entry, group);
    entry.member("made_by") = maker;
    return entry;
}

void add_calls(Json& list, const Group& group, const SizeLine& line) {
    const auto& [size_class, carpools, hosts] = line;
    if (hosts.count() > 0) add_calls(list, group, size_class, "MPI", hosts);
    if (carpools.count() == 0) return;
    auto& entry = add_calls(list, group, size_class, "Carpool", carpools);
    if (!line.ratio()) return;
    entry.member("median_of_mpi") = hosts.ended.median();
    entry.member("by_mpi") = line.by_host();
    entry.member("seconds_of_first") = carpools.ended.cold.charged();
    entry.member("varies") = line.varies();
}

void add_group(Json& content, const Group& group) {
    for (const auto& line : group.lines) add_line(content.member("lines"), group, line);
    for (const auto& line : group.sizes) add_calls(content.member("calls"), group, line);
}

void write(const RecordedCalls& all, const std::string& file) {
    Json content;
    content.member("carpool_report") = 1.0;
    content.member("rank") = 0.0;
    content.member("run_seconds") = all.run_seconds;
    content.member("lines");
    for (const auto& group : groups_of(all)) add_group(content, group);
    for (const auto& reason : host_reasons_of(all.host_calls))
        for (const auto& [operation, calls] : reason.operations) {
            auto& entry = add(content.member("host_calls"),
                              {{"calls", number(calls.count)}, {"seconds", calls.charged}});
            entry.member("operation") = operation;
            entry.member("why") = reason.why;
            entry.member("remedy") = reason.remedy();
        }
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

/// In upper or lower case.
bool is_summary(const std::string& text) {
    return std::ranges::equal(text, std::string_view("summary"),
                              [](unsigned char a, char b) { return std::tolower(a) == b; });
}

/// A word without a dot or slash is more likely a misspelt summary than a file.
bool is_file(const std::string& text) { return text.find_first_of("./") != std::string::npos; }

}  // namespace

bool report_wanted() {
    const auto text = variable();
    const bool wanted = is_summary(text) || is_file(text);
    if (!text.empty() && !wanted && mpi::Use::rank() == 0)
        std::cerr << "carpool: CARPOOL_REPORT in the environment is " << text
                  << ", expected summary, or a file whose name has a dot or a slash\n";
    return wanted;
}

void report(const RecordedCalls& all) {
    const auto how = variable();
    if (is_summary(how))
        std::cerr << summary_of(all) << std::flush;
    else
        write(all, how);
}

}  // namespace carpool::report
