// SPDX-License-Identifier: MIT
#pragma once

#include "routing/basis/basis_choice.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// Looks for all bases of one size, within a budget of search nodes, and offers them to a choice.
///
/// Positive steps are added in ascending order: the next one is never larger than the smallest
/// value that is not a sum yet, since that value could not become a sum later. Steps of both signs
/// are derived from positive ones: negating steps that sum to X shifts all sums by -X. So the
/// search looks for bases of all values + X and of X itself, for every X that could make these
/// positive.
class BasisSearch {
public:
    BasisSearch(std::span<const Value> values, Signs signs, std::int64_t nodes)
        : values_(values), signs_(signs), nodes_left_(nodes) {}

    void run(std::size_t size, BasisChoice& choice);

    bool exhausted() const { return nodes_left_ <= 0; }

private:
    using Numbers = std::vector<std::int64_t>;

    void run_shifted(std::int64_t shift, std::size_t size, BasisChoice& choice);
    void extend(Numbers& steps, const Numbers& sums, std::size_t size);
    void found(const Numbers& steps);

    std::span<const Value> values_;
    Signs signs_;
    std::int64_t nodes_left_;
    BasisChoice* choice_ = nullptr;
    std::int64_t shift_ = 0;
    Numbers targets_;  // positive, ascending
};

}  // namespace carpool::routing
