// SPDX-License-Identifier: MIT
#pragma once

#include "group_case.hpp"
#include "group_race.hpp"
#include "report.hpp"
#include "statistics.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

inline json::value spread_json(const std::vector<double>& values) {
    return values.empty() ? json::value(nullptr) : json::value(to_json(quartiles(values)));
}

/// How much longer each other form takes: ratio of the medians, and quartiles of the ratios within
/// repetitions.
inline json::object group_gains_json(const Timed& one, const std::vector<Timed>& all) {
    json::object gains;
    for (const auto& other : all) {
        auto gain = to_json(quartiles(ratios(other.seconds, one.seconds)));
        gain["of_medians"] = quartiles(other.seconds).median / quartiles(one.seconds).median;
        gain["of_spans"] = quartiles(other.spans).median / quartiles(one.spans).median;
        gains[other.form.name] = std::move(gain);
    }
    return gains;
}

/// How much of the collective's time a computation hides: 1 - (both - computation) / collective,
/// per repetition, at least 0 and at most 1.
inline std::vector<double> overlaps(const Timed& one) {
    const double alone = quartiles(one.seconds).median;
    return paired(one.overlapped, one.computation, [alone](double both, double computation) {
        return std::clamp(1 - (both - computation) / alone, 0.0, 1.0);
    });
}

/// @note Collective
inline json::object to_json(const Timed& one, const std::vector<Timed>& all, MPI_Comm comm) {
    json::object result{{"name", one.form.name},
                        {"repetitions", present(one.seconds).size()},
                        {"seconds", to_json(quartiles(one.seconds))},
                        {"span", to_json(quartiles(one.spans))},
                        {"start", spread_json(gathered(one.parts->start, comm))},
                        {"wait", spread_json(gathered(one.parts->wait, comm))},
                        {"test", spread_json(gathered(one.parts->test, comm))},
                        {"first_init", spread_json(one.first_init)},
                        {"later_init", spread_json(one.later_init)},
                        {"overlap", spread_json(overlaps(one))},
                        {"gain", group_gains_json(one, all)}};
    if (one.form.plan) result["plan"] = to_json(*one.form.plan);
    return result;
}

/// @note Collective
inline json::object to_json(const GroupCase& what, const std::vector<Timed>& all, double budget,
                            MPI_Comm comm) {
    json::array forms;
    for (const auto& one : all) forms.push_back(to_json(one, all, comm));
    return {{"event", "collective"}, {"case", what.name}, {"collective", what.collective->name},
            {"bytes", what.bytes},   {"budget", budget},  {"forms", std::move(forms)}};
}

inline void print_row(const Timed& one, const Timed& persistent) {
    const auto q = quartiles(one.seconds);
    const double span = quartiles(one.spans).median;
    std::printf("  %-30s %9.1f %9.1f %9.1f %7.2f %9.1f %7.2f", one.form.name.c_str(),
                1e6 * q.median, 1e6 * q.first, 1e6 * q.third,
                quartiles(persistent.seconds).median / q.median, 1e6 * span,
                quartiles(persistent.spans).median / span);
    if (const auto& plan = one.form.plan)
        std::printf("   %s, %lld phases, %lld messages, %lld B", plan->algorithm,
                    static_cast<long long>(plan->phases), static_cast<long long>(plan->messages),
                    static_cast<long long>(plan->bytes));
    std::printf("\n");
}

/// Times of start and wait of each form, on the slowest rank and from the first rank's start on,
/// each with its gain over the host MPI's persistent form.
inline void print(const GroupCase& what, const std::vector<Timed>& all, int ranks) {
    const auto title = what.name + ", " + std::to_string(ranks) + " ranks";
    std::printf("%-32s %9s %9s %9s %7s %9s %7s\n", title.c_str(), "us", "first", "third", "gain",
                "span us", "gain");
    const auto persistent = std::ranges::find(
        all, "host persistent", [](const Timed& one) -> std::string_view { return one.form.name; });
    for (const auto& one : all) print_row(one, *persistent);
    std::fflush(stdout);
}

}  // namespace bench
