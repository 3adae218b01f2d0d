#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Holds what each contender delivers against what the first one has delivered.
template <typename Cell>
class Alike {
public:
    /// @param delivered  where all of them deliver
    Alike(std::vector<Cell>& delivered, Cell poison) : delivered_(delivered), poison_(poison) {}

    /// Runs one, into poison. Throws if it leaves something else than the first.
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
