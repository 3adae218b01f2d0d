// SPDX-License-Identifier: MIT
#pragma once

#include <streambuf>
#include <string>

#include <unistd.h>

namespace carpool::tests {

/// Writes whole lines to stderr, each as "[3/8] text", so that lines of different ranks do not mix.
/// Only rank 0 prints "No errors detected".
class RankLines : public std::streambuf {
public:
    RankLines(int rank, int size)
        : prefix_("[" + std::to_string(rank) + "/" + std::to_string(size) + "] "),
          quiet_(rank != 0) {}
    ~RankLines() override { flush_line(); }

protected:
    int_type overflow(int_type c) override {
        if (c == '\n')
            flush_line();
        else if (c != traits_type::eof())
            line_ += static_cast<char>(c);
        return traits_type::not_eof(c);
    }

private:
    bool worth_saying() const {
        const bool all_well = line_.starts_with("Running ") || line_.find("*** No errors") == 0;
        return !line_.empty() && !(quiet_ && all_well);
    }

    void flush_line() {
        const auto text = prefix_ + line_ + "\n";
        if (worth_saying()) [[maybe_unused]]
            const auto n = write(STDERR_FILENO, text.data(), text.size());
        line_.clear();
    }

    std::string prefix_;
    std::string line_;
    bool quiet_;
};

}  // namespace carpool::tests
