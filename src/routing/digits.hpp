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

/// How the distance between two of P ranks is written: in so many digits of nearly equal factors,
/// or in digits of given factors.
struct Digits {
    int count = 2;
    std::vector<int> factors = {};  ///< values of each digit from the lowest on, or none

    /// Factors whose product is at least P. @pre factors are given for at least as many ranks
    std::vector<int> of(int ranks) const;

    /// Do given factors tell so many ranks apart?
    bool suffice(int ranks) const;

    friend auto operator<=>(const Digits&, const Digits&) = default;
};

/// One digit of a distance.
struct Digit {
    std::int64_t weight;  ///< what one step of it is worth
    std::int64_t end;     ///< what one step of the next digit is worth
    int factor;           ///< how many values it has

    std::int64_t value(std::int64_t distance) const { return distance / weight % factor; }
};

/// The digits of these factors, the lowest first; weights are at most 2^31.
std::vector<Digit> digits_of(std::span<const int> factors);

/// So many factors, as equal as can be: of least sum among those whose product is at least P.
/// @param digits  at least 1; fewer are made where a digit would have one value
std::vector<int> near_equal_factors(int ranks, int digits);

/// One for the place on a node with so many ranks, and so many for the node.
std::vector<int> node_factors(int ranks, int node, int digits);

/// How many ranks digits of these factors tell apart, at most 2^31.
std::int64_t span_of(std::span<const int> factors);

/// The least side whose power is at least the number of ranks.
int side_of(int ranks, int power);

/// Ranks of a node, where the first digit has as many values as all nodes have consecutive ranks;
/// else 1. Then that digit leads to ranks of the same node only.
/// @param nodes  null for one
int node_of(std::span<const int> factors, const topology::Nodes* nodes);

/// How many of the digits of a distance are not zero, on average.
double mean_hops(std::span<const int> factors);

/// "3" for so many digits, "8x8x2" for factors of at least 2; none if it is neither.
std::optional<Digits> digits_from_text(std::string_view text);

std::string text_of(const Digits& digits);

/// The same for the same digits only.
std::vector<std::int64_t> numbers_of(const Digits& digits);

}  // namespace carpool::routing
