// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace demo {

struct Settings {
    int speeds = 9;
    int cells = 32;
    int steps = 600;
    int turn = 10;
    int pictures = 3;
    double viscosity = 0.1;
    double speed = 0.04;
    double tolerance = 0.01;
    std::string json;
    std::string fields;
    int spoil = 0;
};

struct Option {
    std::string name;
    std::variant<int*, double*, std::string*> value;
    std::string meaning;
};

inline std::vector<Option> options_of(Settings& s) {
    return {
        {"--speeds", &s.speeds, "9 (D2Q9), 19 (D3Q19) or 27 (D3Q27)"},
        {"--cells", &s.cells, "cells of one rank, per dimension"},
        {"--steps", &s.steps, "steps of the simulation"},
        {"--turn", &s.turn, "steps before the next exchange has its turn"},
        {"--pictures", &s.pictures, "how often the vorticity is written after the start"},
        {"--viscosity", &s.viscosity, "in cells^2 per step"},
        {"--speed", &s.speed, "at the start, in cells per step"},
        {"--tolerance", &s.tolerance, "relative, of the rate at which kinetic energy decays"},
        {"--json", &s.json, "file for the results"},
        {"--fields", &s.fields, "folder for the vorticity, as .npy"},
        {"--spoil", &s.spoil, "1 flips a bit at the end, to see that the checks fail"},
    };
}

inline void assign(const Option& option, const std::string& word) {
    std::istringstream stream(word);
    const auto read = [&](auto* value) { stream >> *value; };
    std::visit(read, option.value);
    if (stream.fail() || stream.peek() != EOF)
        throw std::invalid_argument(option.name + " does not take '" + word + "'");
}

inline const Option& find_option(const std::vector<Option>& options, const std::string& name) {
    for (const Option& option : options)
        if (option.name == name) return option;
    throw std::invalid_argument("unknown option " + name + "; --help lists all");
}

inline void print_help() {
    Settings defaults;
    for (const Option& option : options_of(defaults)) {
        std::ostringstream value;
        std::visit([&](const auto* v) { value << *v; }, option.value);
        std::printf("%-13s %-6s %s\n", option.name.c_str(), value.str().c_str(),
                    option.meaning.c_str());
    }
}

inline void demand(bool holds, const char* text) {
    if (!holds) throw std::invalid_argument(text);
}

/// The settings of a command line; none if it asks for help.
inline std::optional<Settings> parse(const std::vector<std::string>& words) {
    Settings settings;
    const std::vector<Option> options = options_of(settings);
    for (std::size_t i = 0; i < words.size(); i += 2) {
        if (words[i] == "--help") return std::nullopt;
        const Option& option = find_option(options, words[i]);
        demand(i + 1 < words.size(), "the last option lacks its value");
        assign(option, words[i + 1]);
    }
    demand(settings.speeds == 9 || settings.speeds == 19 || settings.speeds == 27,
           "--speeds takes 9, 19 or 27");
    demand(settings.cells >= 1 && settings.steps >= 1 && settings.turn >= 1,
           "--cells, --steps and --turn take numbers from 1");
    demand(settings.viscosity > 0.0, "--viscosity takes a positive number");
    return settings;
}

}  // namespace demo
