// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::ghosts {

/// Lists of indices in one piece of memory.
class IndexLists {
public:
    IndexLists() = default;

    /// Lists of these lengths, whose indices are still to be set.
    explicit IndexLists(std::span<const std::int64_t> lengths) : ends_{0} {
        std::int64_t end = 0;
        for (const auto length : lengths) ends_.push_back(end += length);
        indices_.resize(static_cast<std::size_t>(end));
    }

    std::size_t size() const { return ends_.size() - 1; }

    std::span<const std::int64_t> operator[](std::size_t list) const {
        return std::span(indices_).subspan(begin_of(list), length_of(list));
    }
    std::span<std::int64_t> operator[](std::size_t list) {
        return std::span(indices_).subspan(begin_of(list), length_of(list));
    }

private:
    std::size_t begin_of(std::size_t list) const { return static_cast<std::size_t>(ends_[list]); }
    std::size_t length_of(std::size_t list) const { return begin_of(list + 1) - begin_of(list); }

    std::vector<std::int64_t> indices_;
    std::vector<std::int64_t> ends_{0};  // where each list begins, and the end of the last
};

}  // namespace carpool::ghosts
