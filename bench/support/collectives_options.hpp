// SPDX-License-Identifier: MIT
#pragma once

#include "group_case.hpp"
#include "program.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The command line of bench/collectives.
struct CollectivesOptions {
    double budget = 0.5;  // seconds of timing per case
    std::uint64_t seed = 1;
    std::string algorithms;                                 // names, "all", or empty for "auto"
    std::vector<std::pair<std::string, std::string>> keys;  // info keys for Carpool
    bool json = false;
    int starts = 0;  // for callgrind: starts of each persistent form, without timing
    std::vector<GroupCase> cases;
};

inline std::vector<GroupCase> every_case(const std::vector<std::string>& names,
                                         const std::vector<std::string>& sizes) {
    std::vector<GroupCase> cases;
    for (const auto& name : names)
        for (const auto& bytes : sizes) {
            const bool none = collective_named(name).kind == Kind::barrier;
            cases.push_back(group_case_named(name + "/" + (none ? "0" : bytes)));
            if (none) break;
        }
    return cases;
}

inline std::vector<std::pair<std::string, std::string>> keys_from(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> keys;
    for (const auto& word : split(text, ',')) {
        const auto key = split(word, '=');
        if (key.size() != 2) throw std::runtime_error(word + ", expected KEY=VALUE");
        keys.emplace_back(key[0], key[1]);
    }
    return keys;
}

inline std::vector<std::string> all_collectives() {
    std::vector<std::string> names;
    for (const auto& collective : collectives) names.emplace_back(collective.name);
    return names;
}

inline CollectivesOptions collectives_options(int argc, char** argv) {
    CollectivesOptions options;
    auto names = all_collectives();
    std::vector<std::string> sizes{"8", "4096"};
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&]() -> std::string {
            if (++i == argc) throw std::runtime_error(word + " wants a value");
            return argv[i];
        };
        if (word == "--budget")
            options.budget = std::stod(value());
        else if (word == "--seed")
            options.seed = std::stoull(value());
        else if (word == "--collectives")
            names = split(value(), ',');
        else if (word == "--bytes")
            sizes = split(value(), ',');
        else if (word == "--algorithms")
            options.algorithms = value();
        else if (word == "--info")
            options.keys = keys_from(value());
        else if (word == "--json")
            options.json = true;
        else if (word == "--starts")
            options.starts = std::stoi(value());
        else if (!word.starts_with("-"))
            options.cases.push_back(group_case_named(word));
        else
            throw std::runtime_error(word + " is no option; see the head of collectives.cpp");
    }
    if (options.cases.empty()) options.cases = every_case(names, sizes);
    return options;
}

}  // namespace bench
