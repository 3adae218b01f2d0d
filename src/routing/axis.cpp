// SPDX-License-Identifier: MIT
#include "routing/axis.hpp"

#include <algorithm>
#include <cstdint>

namespace carpool::routing {
namespace {

std::vector<int> coordinates_along(const topology::Neighborhood& neighborhood, int dimension) {
    std::vector<int> result(static_cast<std::size_t>(neighborhood.size()));
    const auto d = static_cast<std::size_t>(neighborhood.dimensions());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = neighborhood.flat()[i * d + static_cast<std::size_t>(dimension)];
    return result;
}

Axis bucketed(const std::vector<int>& coordinates, int lowest, std::size_t buckets) {
    const auto bucket = [lowest](int c) {
        return static_cast<std::size_t>(std::int64_t{c} - lowest);
    };
    std::vector<int> index(buckets, -1);
    for (const int c : coordinates) index[bucket(c)] = 0;
    Axis axis;
    for (std::size_t b = 0; b < buckets; ++b) {
        if (index[b] < 0) continue;
        index[b] = static_cast<int>(axis.values.size());
        axis.values.push_back(static_cast<int>(lowest + static_cast<std::int64_t>(b)));
    }
    axis.index_of.reserve(coordinates.size());
    for (const int c : coordinates) axis.index_of.push_back(index[bucket(c)]);
    return axis;
}

Axis sorted(const std::vector<int>& coordinates) {
    Axis axis{coordinates, {}};
    std::sort(axis.values.begin(), axis.values.end());
    axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
    axis.index_of.reserve(coordinates.size());
    for (const int c : coordinates) {
        const auto at = std::lower_bound(axis.values.begin(), axis.values.end(), c);
        axis.index_of.push_back(static_cast<int>(at - axis.values.begin()));
    }
    return axis;
}

}  // namespace

Axis axis_of(const std::vector<int>& coordinates) {
    if (coordinates.empty()) return {};
    const auto [low, high] = std::minmax_element(coordinates.begin(), coordinates.end());
    const auto range = static_cast<std::uint64_t>(std::int64_t{*high} - *low) + 1;
    const bool close = range <= 4 * coordinates.size() + 64;
    return close ? bucketed(coordinates, *low, static_cast<std::size_t>(range))
                 : sorted(coordinates);
}

Axis axis_of(const topology::Neighborhood& neighborhood, int dimension) {
    return axis_of(coordinates_along(neighborhood, dimension));
}

int nonzero_values(const Axis& axis) {
    return static_cast<int>(std::count_if(axis.values.begin(), axis.values.end(),
                                          [](int value) { return value != 0; }));
}

}  // namespace carpool::routing
