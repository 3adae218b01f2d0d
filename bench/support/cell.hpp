// SPDX-License-Identifier: MIT
#pragma once

#include "alike.hpp"
#include "check.hpp"
#include "handle.hpp"
#include "race.hpp"
#include "report.hpp"
#include "statistics.hpp"
#include "timing.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One operation that the host MPI and Carpool can run any number of times.
struct Cell {
    std::shared_ptr<void> stage;        ///< buffers and communicators of all members below
    std::vector<std::byte>* delivered;  ///< the buffer that every racer delivers into
    std::vector<Racer> hosts;           ///< the host MPI's forms, or else hand-written ones
    std::vector<Racer> repeated = {};   ///< host forms that know as much as a request does
    std::shared_ptr<CarpoolRequest> request = {};  ///< null if there is none
    std::function<void()> after_request = [] {};   ///< copies its result to `delivered`
    std::function<void()> call = {};

    /// Makes another request for the same operation. Returns its error code, which is an error if
    /// an algorithm named in the info does not apply.
    std::function<int(MPI_Info, Carpool_Request*)> init = {};
    std::vector<std::string> algorithms = {};  ///< algorithms that an info may name for it
    MPI_Comm comm = MPI_COMM_NULL;             ///< the communicator of the operation
};

inline std::function<void()> started(const Cell& cell) {
    return [request = cell.request, after = cell.after_request] {
        check(Carpool_Start(request->address()));
        check(Carpool_Wait(request->address(), MPI_STATUS_IGNORE));
        after();
    };
}

/// All racers, and their positions in the list.
struct Field {
    std::vector<Racer> racers;
    std::size_t hosts = 0;  ///< number of forms for calls, which come first
    std::size_t known = 0;  ///< number of all forms of the host MPI
    std::size_t request = 0, call = 0;
};

inline Field field_of(const Cell& cell) {
    Field field{.racers = cell.hosts, .hosts = cell.hosts.size()};
    field.racers.insert(field.racers.end(), cell.repeated.begin(), cell.repeated.end());
    field.known = field.racers.size();
    field.request = field.racers.size();
    const auto add_ours = [&](const char* name, std::function<void()> run) {
        field.racers.push_back({.name = name, .run = std::move(run)});
    };
    if (cell.request) add_ours("request", started(cell));
    field.call = field.racers.size();
    if (cell.call) add_ours("call", cell.call);
    return field;
}

/// The entry with the smallest median among the first `count` ones.
inline const Entry& best_of(const std::vector<Entry>& entries, std::size_t count) {
    return *std::ranges::min_element(
        entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count), {},
        [](const Entry& entry) { return quartiles(entry.seconds).median; });
}

/// The time of the host MPI's best form divided by that of ours, repetition by repetition.
inline json::value gain_json(const std::vector<Entry>& entries, std::size_t hosts,
                             std::size_t ours) {
    if (ours >= entries.size()) return nullptr;
    const auto& best = best_of(entries, hosts);
    auto gain = ratio_json(best.seconds, entries[ours].seconds);
    if (gain.is_object()) gain.as_object()["best"] = best.contender->name;
    return gain;
}

inline json::object seconds_json(const std::vector<Entry>& entries) {
    json::object seconds;
    for (const auto& entry : entries)
        seconds[entry.contender->name] = quartiles(entry.seconds).median;
    return seconds;
}

/// The algorithm that the request uses in the end.
inline json::value algorithm_json(const Cell& cell) {
    if (!cell.request) return nullptr;
    Carpool_Plan plan;
    check(Carpool_Request_get_plan(cell.request->get(), &plan));
    return json::value(plan.algorithm);
}

/// Verifies and times a cell, in its steady state.
/// @note Collective
inline json::object measured(const std::string& name, const Cell& cell, Timing& timing,
                             MPI_Comm comm) {
    const auto field = field_of(cell);
    Alike alike(*cell.delivered, std::byte{0xA5});
    for (const auto& racer : field.racers) alike.run(racer.name, racer.run);
    std::vector<Contender> names;
    for (const auto& racer : field.racers) names.push_back({racer.name, "", nullptr});
    const auto entries = raced(field.racers, names, timing, comm);
    return {{"event", "cell"},
            {"case", name},
            {"requests", cell.request ? gain_json(entries, field.known, field.request) : nullptr},
            {"calls", cell.call ? gain_json(entries, field.hosts, field.call) : nullptr},
            {"algorithm", algorithm_json(cell)},
            {"repetitions", present(entries.front().seconds).size()},
            {"seconds", seconds_json(entries)}};
}

}  // namespace bench
