// SPDX-License-Identifier: MIT
#pragma once

#include "halo/box.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <map>
#include <vector>

namespace carpool::halo {

/// An interval of cells in one dimension.
struct Interval {
    Cells first;
    Cells size;
};

/// A global array on a grid of ranks, each with a halo around the cells that it owns.
///
/// The array is divided in each dimension independently: ranks with the same coordinate own the
/// same number of cells. A halo may be wider than what the next rank owns; the rest comes from the
/// rank beyond.
///
///   cells of the rank at 2      -3 -2 -1 | 0  1  2  3 | 4  5  6
///   owned by the rank at         0  1  1 | 2  2  2  2 | 3  3  4
///   hop by which they come      +2 +1 +1 | 0  0  0  0 |-1 -1 -2
class Domain {
public:
    /// @param extents  per dimension and coordinate, the number of owned cells; may be 0
    /// @param lower    halo cells before the owned ones, per dimension
    /// @param upper    halo cells after the owned ones, per dimension
    ///
    /// Throws std::invalid_argument if a width is negative, or larger than the number of cells of a
    /// periodic dimension: a cell would lie twice in one halo.
    Domain(topology::Grid grid, std::vector<std::vector<Cells>> extents, std::vector<Cells> lower,
           std::vector<Cells> upper);

    const topology::Grid& grid() const { return grid_; }
    int dimensions() const { return grid_.dimensions(); }
    Cells lower(int dimension) const { return lower_[static_cast<std::size_t>(dimension)]; }
    Cells upper(int dimension) const { return upper_[static_cast<std::size_t>(dimension)]; }
    Cells extent(int dimension, int coordinate) const;

    /// Per hop that brings cells to the rank at a coordinate, the interval of these cells in its
    /// array; hop 0 stands for its own cells. Empty intervals are left out.
    const std::map<int, Interval>& pieces(int dimension, int coordinate) const {
        return pieces_[static_cast<std::size_t>(dimension)][static_cast<std::size_t>(coordinate)];
    }

    /// The distance from the first owned cell of the rank at a coordinate to that of the rank `hop`
    /// further on.
    Cells distance(int dimension, int coordinate, int hop) const;

private:
    void check_widths() const;
    std::map<int, Interval> find_pieces(int dimension, int coordinate) const;
    bool exists(int dimension, int coordinate) const;

    topology::Grid grid_;
    std::vector<std::vector<Cells>> extents_;
    std::vector<Cells> lower_;
    std::vector<Cells> upper_;
    std::vector<std::vector<std::map<int, Interval>>> pieces_;
};

/// Throws std::invalid_argument if a stencil reads cells outside the halo.
void check_reach(const Domain& domain, const topology::Neighborhood& stencil);

/// The hops by which the halo cells arrive that a stencil reads on any rank. A side, edge or corner
/// of the halo arrives as a whole if any cell of it is read. Where an edge or corner is read, the
/// sides and edges next to it arrive too.
topology::Neighborhood hops(const Domain& domain, const topology::Neighborhood& stencil);

}  // namespace carpool::halo
