// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// Returned for positions beyond the end of a mesh, where there is no rank.
inline constexpr int no_rank = -1;

/// A d-dimensional torus or mesh of ranks, numbered row by row as MPI_Cart_create does; or block by
/// block, for example where each node has one block. Four by four ranks in blocks of 2 by 2:
///
///      0  1  4  5
///      2  3  6  7
///      8  9 12 13
///     10 11 14 15
class Grid {
public:
    /// @param blocks  lengths of the blocks; if none are given, each rank is a block
    /// @pre dims and periods have the same length, at least 1; every dim is at least 1. If blocks
    /// are given, they have that length too, and each divides its dim.
    Grid(std::vector<int> dims, std::vector<bool> periods, std::vector<int> blocks = {});

    /// The same ranks, with offsets as they are given: none takes a shorter way round, so two that
    /// lead to one rank stay two. The papers count their messages like this.
    Grid with_offsets_as_given() const;

    int dimensions() const { return static_cast<int>(dims_.size()); }
    std::int64_t size() const;
    int dim(int k) const { return dims_[static_cast<std::size_t>(k)]; }
    bool periodic(int k) const { return periods_[static_cast<std::size_t>(k)]; }
    bool fully_periodic() const;

    /// The lengths of the blocks; none if each block is one rank, that is, if the order is row by
    /// row.
    std::span<const int> blocks() const;

    std::vector<int> coordinates(int rank) const;

    /// The rank at coordinates + sign * offset, wrapped where periodic; no_rank off the mesh.
    int rank_at(std::span<const int> coordinates, std::span<const int> offset, int sign = 1) const;

    /// The coordinate of least magnitude along dimension k that leads to the same place as c; of
    /// two with equal magnitude the positive one. On a mesh, or with offsets as given, it is c.
    int shortest(int k, int c) const;

    /// The offset of least norm from one rank to another; of two equal ones the positive one.
    std::vector<int> offset_between(int from, int to) const;

private:
    std::vector<int> dims_;
    std::vector<bool> periods_;
    std::vector<int> blocks_;  // all 1 where none were given
    bool offsets_as_given_ = false;
};

}  // namespace carpool::topology
