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

/// One thing to do, ready to be done by the host and by Carpool any number of times.
struct Cell {
    std::shared_ptr<void> stage;        ///< buffers and communicators of all that follows
    std::vector<std::byte>* delivered;  ///< where everybody delivers
    std::vector<Racer> hosts;           ///< its forms; where it has none, what is written by hand
    std::vector<Racer> repeated = {};   ///< more of them, which know what only a request knows
    std::shared_ptr<CarpoolRequest> request = {};  ///< null where there is none
    std::function<void()> after_request = [] {};   ///< takes what it delivers where others do
    std::function<void()> call = {};

    /// Another request for the same; its code, which is an error where an algorithm that the info
    /// names does not apply.
    std::function<int(MPI_Info, Carpool_Request*)> init = {};
    std::vector<std::string> algorithms = {};  ///< that an info may name for it
    MPI_Comm comm = MPI_COMM_NULL;             ///< which it is on
};

inline std::function<void()> started(const Cell& cell) {
    return [request = cell.request, after = cell.after_request] {
        check(Carpool_Start(request->address()));
        check(Carpool_Wait(request->address(), MPI_STATUS_IGNORE));
        after();
    };
}

/// Who takes part, and where in this order which of them are.
struct Field {
    std::vector<Racer> racers;
    std::size_t hosts = 0;  ///< the first so many, then those that know more
    std::size_t known = 0;  ///< all of the host's
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

/// The least median among the first so many entries.
inline const Entry& best_of(const std::vector<Entry>& entries, std::size_t count) {
    return *std::ranges::min_element(
        entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count), {},
        [](const Entry& entry) { return quartiles(entry.seconds).median; });
}

/// Time of the best of the host's over ours, repetition by repetition.
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

/// How the request does it in the end.
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
