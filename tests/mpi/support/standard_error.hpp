// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace carpool::tests {

/// Captures what this process writes to its standard error in a scope.
class StandardError {
public:
    StandardError() : before_(dup(STDERR_FILENO)), file_(std::tmpfile()) {
        std::fflush(stderr);
        dup2(fileno(file_), STDERR_FILENO);
    }
    StandardError(const StandardError&) = delete;
    StandardError& operator=(const StandardError&) = delete;
    ~StandardError() {
        std::fflush(stderr);
        dup2(before_, STDERR_FILENO);
        close(before_);
        std::fclose(file_);
    }

    std::string text() const {
        std::fflush(stderr);
        std::rewind(file_);
        std::string text;
        for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_))
            text += static_cast<char>(c);
        return text;
    }

private:
    int before_;
    std::FILE* file_;
};

}  // namespace carpool::tests
