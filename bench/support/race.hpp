// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "measure.hpp"
#include "report.hpp"
#include "statistics.hpp"
#include "timing.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// A contender of a race, ready to run any number of times.
struct Racer {
    std::string name;
    std::function<void()> run;
    std::optional<Carpool_Plan> plan = std::nullopt;
};

/// Times racers in turn, in a new random order in each repetition, within the timing's budget.
/// @note Collective
inline std::vector<Entry> raced(const std::vector<Racer>& racers,
                                const std::vector<Contender>& names, Timing& timing,
                                MPI_Comm comm) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < racers.size(); ++i) {
        auto& entry = entries.emplace_back();
        entry.contender = &names[i];
        entry.exchange = {racers[i].run, racers[i].plan};
        entry.pilot = steady_pilot_seconds(entry.exchange, comm);
    }
    time_interleaved(entries, repetitions_within(timing.budget, entries), timing.random, comm);
    return entries;
}

/// Prints one line of JSON: the times of each racer, and its gain over each of the others.
inline void emit_race(json::object about, const std::vector<Racer>& racers, Timing& timing,
                      MPI_Comm comm, int rank) {
    std::vector<Contender> names;
    for (const auto& racer : racers) names.push_back({racer.name, "", nullptr});
    const auto entries = raced(racers, names, timing, comm);
    json::array results;
    for (const auto& entry : entries) {
        json::object gains;
        for (const auto& other : entries)
            gains[other.contender->name] = ratio_json(other.seconds, entry.seconds);
        json::object result{{"name", entry.contender->name},
                            {"seconds", to_json(quartiles(entry.seconds))},
                            {"gain", gains}};
        if (entry.exchange.plan) result["plan"] = to_json(*entry.exchange.plan);
        results.push_back(std::move(result));
    }
    about.emplace("event", "case");  // if `about` does not name another event
    about["racers"] = std::move(results);
    emit(about, rank);
}

/// Carpool's request as a racer.
inline Racer racer_of(std::string name, Carpool_Request request) {
    const auto held = std::make_shared<CarpoolRequest>(request);
    Carpool_Plan plan;
    check(Carpool_Request_get_plan(request, &plan));
    return {std::move(name),
            [held] {
                check(Carpool_Start(held->address()));
                check(Carpool_Wait(held->address(), MPI_STATUS_IGNORE));
            },
            plan};
}

}  // namespace bench
