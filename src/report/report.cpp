#include "report/report.hpp"

#include "base/json.hpp"
#include "mpi/library.hpp"
#include "report/groups.hpp"
#include "report/summary.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace carpool::report {
namespace {

using base::Json;

void describe(const Line& line, Json& json) {
    const auto& [subject, algorithm] = *line.key;
    const auto& forecast = line.record->forecast;
    const auto& starts = line.record->starts;
    const auto& [within, between] = forecast.sent;
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    json.member("communicator") = subject.comm;
    json.member("ranks") = number(subject.ranks);
    json.member("operation") = subject.operation;
    json.member("size_class") = number(subject.size_class);
    json.member("algorithm") = algorithm;
    json.member("starts") = number(starts.count());
    json.member("timed") = number(starts.timed());
    json.member("messages_within") = number(within.messages);
    json.member("messages_between") = number(between.messages);
    json.member("bytes_within") = number(within.bytes);
    json.member("bytes_between") = number(between.bytes);
    json.member("guess") = forecast.seconds;
    json.member("median") = starts.median();
    json.member("mean") = starts.mean();
    json.member("first_quartile") = starts.quantile(0.25);
    json.member("third_quartile") = starts.quantile(0.75);
    json.member("size") = most_bytes(subject.size_class);
    json.member("chosen") = number(line.record->chosen);
    json.member("seconds") = starts.sum();
    if (const auto saved = line.saved()) json.member("saved") = *saved;
}

void write(const std::vector<Group>& groups, const HostCalls& host_calls, const std::string& file) {
    Json content;
    content.member("carpool_report") = 1.0;
    content.member("rank") = 0.0;
    auto& list = content.member("lines");
    for (const auto& group : groups)
        for (const auto& line : group.lines) describe(line, list.append());
    for (const auto& [call, count] : host_calls) {
        auto& entry = content.member("host_calls").append();
        entry.member("operation") = call.first;
        entry.member("why") = call.second;
        entry.member("calls") = static_cast<double>(count);
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
    if (!text.empty() && !wanted && mpi::rank_in_world() == 0)
        std::cerr << "carpool: CARPOOL_REPORT in the environment is " << text
                  << ", expected summary, or a file whose name has a dot or a slash\n";
    return wanted;
}

void report(const Records& records, const HostCalls& host_calls) {
    const auto groups = groups_of(records);
    const auto how = variable();
    if (is_summary(how))
        print_summary(groups, host_calls);
    else
        write(groups, host_calls, how);
}

}  // namespace carpool::report
