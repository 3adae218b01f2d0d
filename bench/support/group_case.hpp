// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "program.hpp"

#include <stdexcept>
#include <string>

namespace bench {

/// A collective and its block size in bytes.
struct GroupCase {
    std::string name;  // for example allreduce/4096
    const Collective* collective = nullptr;
    int bytes = 0;
};

inline GroupCase group_case_named(const std::string& name) {
    const auto words = split(name, '/');
    if (words.size() != 2) throw std::runtime_error(name + ", expected COLLECTIVE/BYTES");
    return {name, &collective_named(words[0]), std::stoi(words[1])};
}

}  // namespace bench
