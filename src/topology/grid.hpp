#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::topology {

/// Returned where a mesh ends and no rank lies.
inline constexpr int no_rank = -1;

/// A d-dimensional torus or mesh of ranks, numbered row-major as MPI_Cart_create does.
class Grid {
public:
    /// @pre dims and periods have the same length, at least 1; every dim is at least 1.
    Grid(std::vector<int> dims, std::vector<bool> periods);

    int dimensions() const { return static_cast<int>(dims_.size()); }
    std::int64_t size() const;
    int dim(int k) const { return dims_[static_cast<std::size_t>(k)]; }
    bool periodic(int k) const { return periods_[static_cast<std::size_t>(k)]; }
    bool fully_periodic() const;

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
};

}  // namespace carpool::topology
