#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// Returned where a mesh ends and no rank lies.
inline constexpr int no_rank = -1;

/// A d-dimensional torus or mesh of ranks, numbered row by row as MPI_Cart_create does; or block by
/// block, as where each node has a part of the grid. Four by four in blocks of 2 by 2:
///
///      0  1  4  5
///      2  3  6  7
///      8  9 12 13
///     10 11 14 15
class Grid {
public:
    /// @param blocks  their lengths; without any each rank is one
    /// @pre dims and periods have the same length, at least 1; every dim is at least 1. Blocks have
    /// that length too, if there are any, and each divides its dim.
    Grid(std::vector<int> dims, std::vector<bool> periods, std::vector<int> blocks = {});

    int dimensions() const { return static_cast<int>(dims_.size()); }
    std::int64_t size() const;
    int dim(int k) const { return dims_[static_cast<std::size_t>(k)]; }
    bool periodic(int k) const { return periods_[static_cast<std::size_t>(k)]; }
    bool fully_periodic() const;

    /// Lengths of the blocks; none where a block is one rank, which is row by row.
    std::span<const int> blocks() const;

    std::vector<int> coordinates(int rank) const;

    /// Rank at coordinates + sign * offset, wrapped where periodic; no_rank off the mesh.
    int rank_at(std::span<const int> coordinates, std::span<const int> offset, int sign = 1) const;

    /// The least coordinate along dimension k that leads where c does; of two equal ones the
    /// positive. On a mesh it is c.
    int shortest(int k, int c) const;

    /// Offset of least norm from one rank to another; of two equal ones the positive.
    std::vector<int> offset_between(int from, int to) const;

private:
    std::vector<int> dims_;
    std::vector<bool> periods_;
    std::vector<int> blocks_;  // all 1 where none were given
};

}  // namespace carpool::topology
