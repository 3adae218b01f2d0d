// SPDX-License-Identifier: MIT
#include "topology/grid.hpp"

#include <algorithm>
#include <utility>

namespace carpool::topology {
namespace {

std::int64_t wrapped(std::int64_t coordinate, std::int64_t dim) {
    const auto remainder = coordinate % dim;
    return remainder < 0 ? remainder + dim : remainder;
}

int shorter_way(int c, int dim) {
    const auto positive = static_cast<int>(wrapped(c, dim));
    return positive > dim / 2 ? positive - dim : positive;
}

}  // namespace

Grid::Grid(std::vector<int> dims, std::vector<bool> periods, std::vector<int> blocks)
    : dims_(std::move(dims)),
      periods_(std::move(periods)),
      blocks_(blocks.empty() ? std::vector<int>(dims_.size(), 1) : std::move(blocks)) {}

Grid Grid::with_offsets_as_given() const {
    auto grid = *this;
    grid.offsets_as_given_ = true;
    return grid;
}

std::int64_t Grid::size() const {
    std::int64_t product = 1;
    for (const int dim : dims_) product *= dim;
    return product;
}

bool Grid::fully_periodic() const {
    return std::all_of(periods_.begin(), periods_.end(), [](bool period) { return period; });
}

std::span<const int> Grid::blocks() const {
    if (std::all_of(blocks_.begin(), blocks_.end(), [](int length) { return length == 1; }))
        return {};
    return blocks_;
}

std::vector<int> Grid::coordinates(int rank) const {
    std::vector<int> result(dims_.size());
    for (std::size_t k = dims_.size(); k-- > 0; rank /= blocks_[k])  // within the block
        result[k] = rank % blocks_[k];
    for (std::size_t k = dims_.size(); k-- > 0;) {
        const int blocks = dims_[k] / blocks_[k];
        result[k] += rank % blocks * blocks_[k];
        rank /= blocks;
    }
    return result;
}

int Grid::rank_at(std::span<const int> coordinates, std::span<const int> offset, int sign) const {
    std::int64_t before = 0;  // number of the block, row by row
    std::int64_t within = 0, block = 1;
    for (std::size_t k = 0; k < dims_.size(); ++k) {
        auto coordinate = coordinates[k] + std::int64_t{sign} * offset[k];
        if (periods_[k]) {
            coordinate = wrapped(coordinate, dims_[k]);
        } else if (coordinate < 0 || coordinate >= dims_[k]) {
            return no_rank;
        }
        before = before * (dims_[k] / blocks_[k]) + coordinate / blocks_[k];
        within = within * blocks_[k] + coordinate % blocks_[k];
        block *= blocks_[k];
    }
    return static_cast<int>(before * block + within);
}

int Grid::shortest(int k, int c) const {
    return periodic(k) && !offsets_as_given_ ? shorter_way(c, dim(k)) : c;
}

std::vector<int> Grid::offset_between(int from, int to) const {
    const auto start = coordinates(from);
    auto offset = coordinates(to);
    for (std::size_t k = 0; k < dims_.size(); ++k) {
        offset[k] -= start[k];
        if (periods_[k]) offset[k] = shorter_way(offset[k], dims_[k]);
    }
    return offset;
}

}  // namespace carpool::topology
