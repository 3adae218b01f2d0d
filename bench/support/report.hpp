// SPDX-License-Identifier: MIT
#pragma once

#include "measure.hpp"
#include "scene.hpp"
#include "statistics.hpp"

#include <mpi.h>
#include <boost/json.hpp>

#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bench {

namespace json = boost::json;

/// Writes one event as one line from rank 0, and flushes it, since the reader shows progress by it.
inline void emit(const json::object& event, int rank) {
    if (rank == 0) std::cout << json::serialize(event) << std::endl;
}

inline std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown";
}

inline std::string mpi_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    check(MPI_Get_library_version(text, &length));
    return std::string(text, text + length);
}

inline json::object machine_json() {
    return {{"cores", std::thread::hardware_concurrency()},
            {"cpu", cpu_name()},
            {"mpi_version", mpi_version()}};
}

/// Writes the first line of a bench: the machine, the number of ranks, and the members of `about`.
inline void emit_run(json::object about, MPI_Comm comm) {
    int rank = 0, ranks = 0;
    check(MPI_Comm_rank(comm, &rank));
    check(MPI_Comm_size(comm, &ranks));
    about["event"] = "run";
    about["machine"] = machine_json();
    about["ranks"] = ranks;
    emit(about, rank);
}

inline json::object to_json(const Quartiles& q) {
    return {{"least", q.least},
            {"first", q.first},
            {"median", q.median},
            {"third", q.third},
            {"most", q.most}};
}

inline json::object to_json(const Carpool_Plan& plan) {
    return {{"algorithm", plan.algorithm},
            {"phases", plan.phases},
            {"rounds", plan.rounds},
            {"messages", plan.messages},
            {"volume", plan.volume},
            {"bytes", plan.bytes},
            {"shared_bytes", plan.shared_bytes},
            {"without_memory", plan.without_memory}};
}

inline const Entry& entry_named(const std::vector<Entry>& entries, std::string_view name) {
    return *std::ranges::find(entries, name,
                              [](const Entry& entry) { return entry.contender->name; });
}

inline json::value ratio_json(const std::vector<double>& a, const std::vector<double>& b) {
    const auto pairs = ratios(a, b);
    return pairs.empty() ? json::value(nullptr) : json::value(to_json(quartiles(pairs)));
}

/// Time of each baseline over the time of the entry: above 1 the entry is faster.
inline json::object gains_json(const Entry& entry, const std::vector<Entry>& entries) {
    json::object gains;
    for (const auto name : baselines)
        gains[name] = ratio_json(entry_named(entries, name).seconds, entry.seconds);
    return gains;
}

inline json::object to_json(const Entry& entry, const std::vector<Entry>& entries) {
    json::object result{{"name", entry.contender->name}};
    if (!entry.failure.empty()) result["failure"] = entry.failure;
    if (entry.exchange.plan) result["plan"] = to_json(*entry.exchange.plan);
    if (!entry.timed()) return result;
    result["repetitions"] = present(entry.seconds).size();
    result["seconds"] = to_json(quartiles(entry.seconds));
    result["gain"] = gains_json(entry, entries);
    return result;
}

/// α and β of this case's own messages, and the factor by which the cartesian rule exceeds their
/// sum.
inline json::value floor_json(const std::vector<Entry>& entries) {
    const auto& empty = entry_named(entries, "floor messages");
    const auto& full = entry_named(entries, "floor bytes");
    const auto& cartesian = entry_named(entries, "carpool cartesian");
    if (!empty.timed() || !full.timed() || !cartesian.timed()) return nullptr;
    const auto messages = static_cast<double>(empty.exchange.plan->messages);
    const auto bytes = static_cast<double>(full.exchange.plan->bytes);
    const auto extra = paired(full.seconds, empty.seconds, std::minus{});
    return json::object{{"alpha", messages > 0 ? quartiles(empty.seconds).median / messages : 0},
                        {"beta", bytes > 0 ? quartiles(extra).median / bytes : 0},
                        {"seconds", to_json(quartiles(full.seconds))},
                        {"cartesian_over_floor", ratio_json(cartesian.seconds, full.seconds)}};
}

inline json::object to_json(const Scene& scene, const std::vector<Entry>& entries) {
    const auto& what = scene.what;
    json::array results;
    for (const auto& entry : entries) results.push_back(to_json(entry, entries));
    return {{"event", "case"},
            {"case", what.name},
            {"pattern", what.pattern.name},
            {"operation", what.operation->name},
            {"base_bytes", what.base},
            {"d", what.pattern.dimensions},
            {"t", what.pattern.neighbors()},
            {"dims", json::value_from(scene.torus.dims)},
            {"send_bytes", scene.blocks.send.size()},
            {"receive_bytes", scene.blocks.receive.size()},
            {"contenders", std::move(results)},
            {"floor", floor_json(entries)}};
}

}  // namespace bench
