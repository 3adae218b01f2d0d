// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Compares what each contender delivers with what the first one delivered.
template <typename Cell>
class Alike {
public:
    /// @param delivered  the buffer that all contenders deliver into
    Alike(std::vector<Cell>& delivered, Cell poison) : delivered_(delivered), poison_(poison) {}

    /// Fills the buffer with poison and runs a contender. Throws if its result differs from that of
    /// the first.
    template <typename Run>
    void run(const std::string& name, Run run) {
        std::fill(delivered_.begin(), delivered_.end(), poison_);
        run();
        if (!right_) right_ = delivered_;
        if (delivered_ != *right_) throw std::runtime_error(name + " delivers something else");
    }

private:
    std::vector<Cell>& delivered_;
    Cell poison_;
    std::optional<std::vector<Cell>> right_;
};

}  // namespace bench
