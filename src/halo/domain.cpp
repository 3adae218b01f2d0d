// SPDX-License-Identifier: MIT
#include "halo/domain.hpp"

#include "base/element.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace carpool::halo {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

std::string named(const char* array, int i, Cells value) {
    return base::element(array, i) + " is " + std::to_string(value);
}

int wrapped(int coordinate, int size) {
    const int rest = coordinate % size;
    return rest < 0 ? rest + size : rest;
}

}  // namespace

Domain::Domain(topology::Grid grid, std::vector<std::vector<Cells>> extents,
               std::vector<Cells> lower, std::vector<Cells> upper)
    : grid_(std::move(grid)),
      extents_(std::move(extents)),
      lower_(std::move(lower)),
      upper_(std::move(upper)) {
    check_widths();
    for (int k = 0; k < dimensions(); ++k) {
        auto& along = pieces_.emplace_back();
        for (int c = 0; c < grid_.dim(k); ++c) along.push_back(find_pieces(k, c));
    }
}

void Domain::check_widths() const {
    for (int k = 0; k < dimensions(); ++k) {
        const auto& extents = extents_[index(k)];
        const auto cells = std::accumulate(extents.begin(), extents.end(), Cells{0});
        for (const auto& [name, width] : {std::pair("lower", lower(k)), {"upper", upper(k)}}) {
            if (width < 0)
                throw std::invalid_argument(named(name, k, width) + ", expected at least 0");
            if (grid_.periodic(k) && width > cells)
                throw std::invalid_argument(named(name, k, width) + ", expected at most " +
                                            std::to_string(cells) +
                                            ", the cells of that periodic dimension");
        }
    }
}

Cells Domain::extent(int dimension, int coordinate) const {
    return extents_[index(dimension)][index(wrapped(coordinate, grid_.dim(dimension)))];
}

bool Domain::exists(int dimension, int coordinate) const {
    return grid_.periodic(dimension) || (coordinate >= 0 && coordinate < grid_.dim(dimension));
}

std::map<int, Interval> Domain::find_pieces(int dimension, int coordinate) const {
    const auto own = extent(dimension, coordinate);
    std::map<int, Interval> pieces;
    if (own > 0) pieces[0] = {0, own};
    const auto add = [&](int hop, Cells first, Cells size) {
        if (size > 0) pieces[hop] = {first, size};
    };
    Cells left = lower(dimension);
    for (int hop = 1; left > 0 && exists(dimension, coordinate - hop); ++hop) {
        const auto size = std::min(left, extent(dimension, coordinate - hop));
        add(hop, left - size - lower(dimension), size);
        left -= size;
    }
    Cells right = upper(dimension);
    for (int hop = 1; right > 0 && exists(dimension, coordinate + hop); ++hop) {
        const auto size = std::min(right, extent(dimension, coordinate + hop));
        add(-hop, own + upper(dimension) - right, size);
        right -= size;
    }
    return pieces;
}

Cells Domain::distance(int dimension, int coordinate, int hop) const {
    Cells sum = 0;
    for (int step = 0; step < hop; ++step) sum += extent(dimension, coordinate + step);
    for (int step = -1; step >= hop; --step) sum -= extent(dimension, coordinate + step);
    return sum;
}

void check_reach(const Domain& domain, const topology::Neighborhood& stencil) {
    const int d = stencil.dimensions();
    for (int i = 0; i < stencil.size(); ++i) {
        for (int k = 0; k < d; ++k) {
            const Cells reach = stencil[i][index(k)];
            if (reach >= -domain.lower(k) && reach <= domain.upper(k)) continue;
            throw std::invalid_argument(
                base::coordinate("stencil", i, k, d) + " is " + std::to_string(reach) +
                ", outside the halo, expected from " + std::to_string(-domain.lower(k)) + " to " +
                std::to_string(domain.upper(k)));
        }
    }
}

namespace {

using Sides = std::vector<int>;  // per dimension -1 before the owned cells, 1 after them, 0 beside

/// A stencil that reads a corner reads the edges and sides next to it too.
void add_with_parts(std::set<Sides>& read, Sides sides, std::size_t from) {
    if (!read.insert(sides).second && from == 0) return;
    for (std::size_t k = from; k < sides.size(); ++k) {
        if (sides[k] == 0) continue;
        auto part = sides;
        part[k] = 0;
        add_with_parts(read, std::move(part), k + 1);
    }
}

std::set<Sides> sides_read_by(const topology::Neighborhood& stencil) {
    std::set<Sides> read;
    for (int i = 0; i < stencil.size(); ++i) {
        Sides sides;
        for (const int c : stencil[i]) sides.push_back((c > 0) - (c < 0));
        add_with_parts(read, std::move(sides), 0);
    }
    return read;
}

/// Per dimension all hops that some rank needs.
std::vector<std::set<int>> hops_along(const Domain& domain) {
    std::vector<std::set<int>> hops(index(domain.dimensions()));
    for (int k = 0; k < domain.dimensions(); ++k)
        for (int c = 0; c < domain.grid().dim(k); ++c)
            for (const auto& [hop, _] : domain.pieces(k, c)) hops[index(k)].insert(hop);
    return hops;
}

void add_hops(std::vector<int>& flat, std::vector<int>& chosen, const Sides& sides,
              const std::vector<std::set<int>>& along) {
    const auto k = chosen.size();
    if (k == sides.size()) {
        flat.insert(flat.end(), chosen.begin(), chosen.end());
        return;
    }
    for (const int hop : along[k]) {
        if ((hop < 0) - (hop > 0) != sides[k])
            continue;  // cells before the owned ones come by a hop forward
        chosen.push_back(hop);
        add_hops(flat, chosen, sides, along);
        chosen.pop_back();
    }
}

}  // namespace

topology::Neighborhood hops(const Domain& domain, const topology::Neighborhood& stencil) {
    const auto along = hops_along(domain);
    std::vector<int> flat;
    std::vector<int> chosen;
    for (const auto& sides : sides_read_by(stencil))
        if (std::any_of(sides.begin(), sides.end(), [](int side) { return side != 0; }))
            add_hops(flat, chosen, sides, along);
    return {domain.dimensions(), std::move(flat)};
}

}  // namespace carpool::halo
