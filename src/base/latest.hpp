#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace carpool::base {

/// The last `Most` numbers of a sequence that contains no 0.
template <std::size_t Most>
class Latest {
public:
    bool contains(std::uint64_t number) const {
        return number != 0 && std::ranges::find(numbers_, number) != numbers_.end();
    }
    void push(std::uint64_t number) { numbers_[next_++ % Most] = number; }

private:
    std::array<std::uint64_t, Most> numbers_ = {};
    std::size_t next_ = 0;
};

}  // namespace carpool::base
