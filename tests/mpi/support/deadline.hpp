// SPDX-License-Identifier: MIT
#pragma once

#include "current_step.hpp"

#include <string>

#include <unistd.h>

namespace carpool::tests {

/// Gives each step of a test case a minute, until the end of the scope: whoever hangs is told soon,
/// by the same report as where the whole program takes too long.
class Deadline {
public:
    Deadline() : rest_(alarm(0)) {}
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline() { alarm(rest_); }

    /// Notes the next step.
    void next(const std::string& step) const {
        note_step(step);
        alarm(60);
    }

private:
    unsigned rest_;
};

}  // namespace carpool::tests
