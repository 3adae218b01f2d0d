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

/// A global array on a grid of ranks, each with a halo around what it owns.
///
/// The array is divided in each dimension by itself: ranks with the same coordinate own as many
/// cells. A halo may be wider than what the next rank owns; the rest comes from the one beyond.
///
///   cells of the rank at 2      -3 -2 -1 | 0  1  2  3 | 4  5  6
///   owned by the rank at         0  1  1 | 2  2  2  2 | 3  3  4
///   hop by which they come      +2 +1 +1 | 0  0  0  0 |-1 -1 -2
class Domain {
public:
    /// @param extents  per dimension and coordinate, cells owned; 0 allowed
    /// @param lower    halo cells before the owned ones, per dimension
    /// @param upper    and after them
    /// Throws std::invalid_argument if a width is negative, or larger than a periodic dimension has
    /// cells: a cell would lie twice in one halo.
    Domain(topology::Grid grid, std::vector<std::vector<Cells>> extents, std::vector<Cells> lower,
           std::vector<Cells> upper);

    const topology::Grid& grid() const { return grid_; }
    int dimensions() const { return grid_.dimensions(); }
    Cells lower(int dimension) const { return lower_[static_cast<std::size_t>(dimension)]; }
    Cells upper(int dimension) const { return upper_[static_cast<std::size_t>(dimension)]; }
    Cells extent(int dimension, int coordinate) const;

    /// Per hop that brings cells to the rank at a coordinate, which of its cells; hop 0 is its own.
    /// Empty intervals are left out.
    const std::map<int, Interval>& pieces(int dimension, int coordinate) const {
        return pieces_[static_cast<std::size_t>(dimension)][static_cast<std::size_t>(coordinate)];
    }

    /// How far the first cell of the rank `hop` further on lies from that of the rank at
    /// coordinate.
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

/// The hops by which halo cells come that a stencil reads, on any rank: all of a side, edge or
/// corner of the halo if any cell of it is read. A part of the halo between others that are read is
/// read.
topology::Neighborhood hops(const Domain& domain, const topology::Neighborhood& stencil);

}  // namespace carpool::halo
