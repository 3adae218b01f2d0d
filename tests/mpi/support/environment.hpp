// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace carpool::tests {

/// An environment variable that is set for a scope.
class Environment {
public:
    Environment(const char* name, const std::string& value) : name_(name) {
        setenv(name, value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { unsetenv(name_.c_str()); }

private:
    std::string name_;
};

}  // namespace carpool::tests
