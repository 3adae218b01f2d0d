// SPDX-License-Identifier: MIT
#pragma once

#include "exchange.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace demo {

/// A statement that shall hold, and what was seen.
struct Check {
    std::string statement;
    bool passed = false;
    std::string seen;
};

/// Seconds an exchange takes the slowest rank, over all turns.
struct Timing {
    double median = 0.0, lower_quartile = 0.0, upper_quartile = 0.0;
};

inline Timing summarise(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto quartile = [&](std::size_t i) { return seconds[i * (seconds.size() - 1) / 4]; };
    return {quartile(2), quartile(1), quartile(3)};
}

struct ExchangeReport {
    std::string name;
    Traffic traffic;
    Timing timing;
    double step_seconds = 0.0;
    bool same_as_one_rank = false;
    bool same_as_host = false;
};

struct EnergySample {
    int step;
    double measured, analytic;
};

struct Picture {
    int step;
    std::string file;
};

struct Report {
    std::string title;
    std::string library;
    std::vector<Check> checks;
    std::vector<ExchangeReport> exchanges;
    std::vector<EnergySample> energy;
    std::vector<Picture> pictures;

    bool passed() const {
        return std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed; });
    }

    /// How many times faster than the first, the host's blocking exchange.
    double gain(const ExchangeReport& exchange) const {
        return exchanges.front().timing.median / exchange.timing.median;
    }
};

inline boost::json::object to_json(const Report& report, const ExchangeReport& e) {
    return {{"name", e.name},
            {"rule", e.traffic.rule},
            {"messages", e.traffic.messages},
            {"bytes", e.traffic.bytes},
            {"median_s", e.timing.median},
            {"lower_quartile_s", e.timing.lower_quartile},
            {"upper_quartile_s", e.timing.upper_quartile},
            {"step_s", e.step_seconds},
            {"gain", report.gain(e)},
            {"same_as_one_rank", e.same_as_one_rank},
            {"same_as_host", e.same_as_host}};
}

inline boost::json::object to_json(const Report& report) {
    boost::json::array checks, exchanges, energy, pictures;
    for (const Check& c : report.checks)
        checks.push_back({{"statement", c.statement}, {"passed", c.passed}, {"seen", c.seen}});
    for (const ExchangeReport& e : report.exchanges) exchanges.push_back(to_json(report, e));
    for (const EnergySample& e : report.energy)
        energy.push_back({{"step", e.step}, {"measured", e.measured}, {"analytic", e.analytic}});
    for (const Picture& p : report.pictures)
        pictures.push_back({{"step", p.step}, {"file", p.file}});
    return {{"title", report.title}, {"library", report.library}, {"passed", report.passed()},
            {"checks", checks},      {"exchanges", exchanges},    {"energy", energy},
            {"pictures", pictures}};
}

inline void write_json(const Report& report, const std::string& path) {
    std::ofstream(path) << boost::json::serialize(to_json(report)) << '\n';
}

inline void print(const Report& report) {
    std::printf("%s, %s\n", report.title.c_str(), report.library.c_str());
    for (const Check& c : report.checks)
        std::printf("%s  %s: %s\n", c.passed ? "pass" : "FAIL", c.statement.c_str(),
                    c.seen.c_str());
    std::printf("%-18s %-10s %8s %8s %24s %6s %10s\n", "exchange", "rule", "messages", "kB",
                "us, quartiles", "gain", "us a step");
    for (const ExchangeReport& e : report.exchanges)
        std::printf("%-18s %-10s %8lld %8.1f %8.1f %7.1f %7.1f %6.2f %10.1f\n", e.name.c_str(),
                    e.traffic.rule.c_str(), static_cast<long long>(e.traffic.messages),
                    1e-3 * static_cast<double>(e.traffic.bytes), 1e6 * e.timing.median,
                    1e6 * e.timing.lower_quartile, 1e6 * e.timing.upper_quartile, report.gain(e),
                    1e6 * e.step_seconds);
}

}  // namespace demo
