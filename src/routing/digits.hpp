// SPDX-License-Identifier: MIT
#pragma once

#include "topology/nodes.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carpool::routing {

/// How the distance between two of P ranks is written: in `count` digits with nearly equal factors,
/// or in digits with the given factors.
struct Digits {
    int count = 2;
    std::vector<int> factors = {};  ///< number of values of each digit, the lowest first; or none

    /// Factors whose product is at least P. @pre given factors suffice for that many ranks
    std::vector<int> of(int ranks) const;

    /// Do the factors distinguish that many ranks?
    bool suffice(int ranks) const;

    friend auto operator<=>(const Digits&, const Digits&) = default;
};

/// One digit of a distance.
struct Digit {
    std::int64_t weight;  ///< the distance of one step of this digit
    std::int64_t end;     ///< the distance of one step of the next digit
    int factor;           ///< the number of values of this digit

    std::int64_t value(std::int64_t distance) const { return distance / weight % factor; }
};

/// The digits with these factors, the lowest first; weights are at most 2^31.
std::vector<Digit> digits_of(std::span<const int> factors);

/// Factors that are as equal as possible: those of least sum among all whose product is at least P.
/// @param digits  number of factors, at least 1; there are fewer where a digit would have only one
/// value
std::vector<int> near_equal_factors(int ranks, int digits);

/// One factor for the place on a node with `node` ranks, and `digits` factors for the node.
std::vector<int> node_factors(int ranks, int node, int digits);

/// The number of ranks that digits with these factors distinguish, at most 2^31.
std::int64_t span_of(std::span<const int> factors);

/// The least side whose `power`-th power is at least the number of ranks.
int side_of(int ranks, int power);

/// The number of ranks per node, if every node has that many consecutive ranks and the first digit
/// has that many values; otherwise 1. In the first case the first digit leads only to ranks of the
/// same node.
/// @param nodes  null if there is only one node
int node_of(std::span<const int> factors, const topology::Nodes* nodes);

/// The average number of digits of a distance that are not zero.
double mean_hops(std::span<const int> factors);

/// Reads "3" (a number of digits) or "8x8x2" (factors of at least 2); returns nothing if the text
/// is neither.
std::optional<Digits> digits_from_text(std::string_view text);

std::string text_of(const Digits& digits);

/// Numbers that are equal only for equal digits.
std::vector<std::int64_t> numbers_of(const Digits& digits);

}  // namespace carpool::routing
