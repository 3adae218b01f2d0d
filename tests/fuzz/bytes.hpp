// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace fuzz {

/// Takes numbers and bytes from the front of an input, and zeros behind its end.
class Bytes {
public:
    explicit Bytes(std::string_view input) : rest_(input) {}

    bool empty() const { return rest_.empty(); }

    template <typename Number>
    Number number() {
        Number value{};
        const auto bytes = std::min(sizeof value, rest_.size());
        if (bytes > 0) std::memcpy(&value, rest_.data(), bytes);
        rest_.remove_prefix(bytes);
        return value;
    }

    /// One of 0, 1, …, choices - 1
    int one_of(int choices) { return number<unsigned char>() % choices; }

    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

}  // namespace fuzz
