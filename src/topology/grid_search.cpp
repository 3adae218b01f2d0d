// SPDX-License-Identifier: MIT
#include "topology/grid_search.hpp"

#include "topology/bits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace carpool::topology {
namespace {

constexpr std::size_t most_grids = 1 << 13;        // 1 KiB of misfits
constexpr std::size_t most_comparisons = 1 << 18;  // so that a search costs less than planning
constexpr std::size_t most_dimensions_mixed = 4;   // of which some may be periodic and some not
constexpr std::size_t most_dimensions_blocked = 3;

using Lengths = std::vector<int>;

/// The lengths of a grid and of its blocks, without its periods.
struct Shape {
    Lengths dims, blocks;
};

/// A list of shapes, as long as the budget allows.
class Shapes {
public:
    explicit Shapes(std::size_t most) : most_(most) {}

    bool full() const { return found_.size() >= most_; }
    void add(Shape shape) {
        if (!full()) found_.push_back(std::move(shape));
    }
    std::vector<Shape> found() && { return std::move(found_); }

private:
    std::size_t most_;
    std::vector<Shape> found_;
};

/// Adds all ways to write `ranks` as an ordered product of `factors` factors greater than 1.
void add_products(int ranks, std::size_t factors, Lengths& dims, std::vector<Lengths>& all,
                  std::size_t most) {
    if (factors == 1) {
        dims.push_back(ranks);
        all.push_back(dims);
        dims.pop_back();
        return;
    }
    for (int factor = 2; factor <= ranks / 2 && all.size() < most; ++factor) {
        if (ranks % factor != 0) continue;
        dims.push_back(factor);
        add_products(ranks / factor, factors - 1, dims, all, most);
        dims.pop_back();
    }
}

std::vector<Lengths> products_of(int ranks, std::size_t factors, std::size_t most) {
    std::vector<Lengths> all;
    Lengths dims;
    add_products(ranks, factors, dims, all, most);
    return all;
}

/// Are the ranks numbered row by row, in this or another order of the dimensions? From the most to
/// the least significant, a rank's number has one digit for the block in each dimension, then one
/// for the place in the block in each dimension. The numbering is row by row if the two digits of
/// each dimension are adjacent.
bool row_by_row(const Shape& shape) {
    std::vector<std::size_t> digits;
    const auto add = [&](std::size_t k, int radix) {
        if (radix > 1 && (digits.empty() || digits.back() != k)) digits.push_back(k);
    };
    const auto d = shape.dims.size();
    for (std::size_t k = 0; k < d; ++k) add(k, shape.dims[k] / shape.blocks[k]);
    for (std::size_t k = 0; k < d; ++k) add(k, shape.blocks[k]);
    return digits.size() == d;
}

/// Adds the shapes with all divisors of the dims as blocks, except those numbered row by row.
void add_blocked(const Lengths& dims, Shapes& shapes) {
    Lengths blocks(dims.size(), 1);
    while (!shapes.full()) {
        if (Shape shape{dims, blocks}; !row_by_row(shape)) shapes.add(std::move(shape));
        std::size_t k = 0;
        for (; k < dims.size(); ++k) {  // the next divisors, as on an odometer
            do ++blocks[k];
            while (blocks[k] <= dims[k] && dims[k] % blocks[k] != 0);
            if (blocks[k] <= dims[k]) break;
            blocks[k] = 1;
        }
        if (k == dims.size()) return;
    }
}

std::vector<Shape> shapes_of(int ranks, std::size_t most) {
    Shapes shapes(most);
    bool any = ranks > 1;
    for (std::size_t d = 1; any && !shapes.full(); ++d) {
        const auto products = products_of(ranks, d, most);
        for (const auto& dims : products) shapes.add({dims, {}});
        any = !products.empty();
    }
    for (std::size_t d = 2; d <= most_dimensions_blocked; ++d)
        for (const auto& dims : products_of(ranks, d, most))
            if (!shapes.full()) add_blocked(dims, shapes);
    return std::move(shapes).found();
}

std::vector<std::vector<bool>> periods_of(const Shape& shape) {
    const auto d = shape.dims.size();
    if (d > most_dimensions_mixed || !shape.blocks.empty())
        return {std::vector<bool>(d, true), std::vector<bool>(d, false)};
    std::vector<std::vector<bool>> all;  // the torus first
    for (unsigned bits = 0; bits < 1u << d; ++bits) {
        auto& periods = all.emplace_back(d);
        for (std::size_t k = 0; k < d; ++k) periods[k] = (bits >> k & 1) == 0;
    }
    return all;
}

bool before(std::span<const int> a, std::span<const int> b) {
    return std::ranges::lexicographical_compare(a, b);
}

/// Do all edges lead along offsets of the neighborhood? Edges that do not on a torus do not on a
/// mesh of that shape either.
bool lead_along(const Grid& torus, const Neighborhood& neighborhood, int rank,
                std::span<const Edge> out) {
    std::vector<std::span<const int>> offsets;  // ascending, as neighborhood_of makes them
    for (int i = 0; i < neighborhood.size(); ++i) offsets.push_back(neighborhood[i]);
    return std::ranges::all_of(out, [&](const Edge& edge) {
        return edge.peer == no_rank ||
               std::binary_search(offsets.begin(), offsets.end(),
                                  std::span<const int>(torus.offset_between(rank, edge.peer)),
                                  before);
    });
}

}  // namespace

GridSearch::GridSearch(int ranks, int model, std::span<const Edge> targets)
    : model_(model), targets_(targets.begin(), targets.end()) {
    const auto most = std::clamp<std::size_t>(
        most_comparisons / std::max<std::size_t>(1, targets.size()), 1, most_grids);
    for (const auto& shape : shapes_of(ranks, most)) {
        auto& grids = grids_.emplace_back();
        for (auto& periods : periods_of(shape))
            grids.emplace_back(shape.dims, std::move(periods), shape.blocks);
        size_ += static_cast<int>(grids.size());
        if (static_cast<std::size_t>(size_) >= most) break;
    }
}

Neighborhood GridSearch::neighborhood(const Grid& grid) const {
    return neighborhood_of(grid, model_, targets_);
}

std::vector<std::uint64_t> GridSearch::misfits(int rank, const Adjacency& edges) const {
    std::vector<std::uint64_t> misfits(words_of_bits(size_));
    const Recogniser recogniser(rank, edges);
    int bit = 0;
    for (const auto& grids : grids_) {
        const auto& torus = grids.front();
        const bool may_fit = lead_along(torus, neighborhood(torus), rank, edges.out);
        for (const auto& grid : grids) {
            if (!may_fit || !recogniser.recognised(grid, neighborhood(grid))) set_bit(misfits, bit);
            ++bit;
        }
    }
    return misfits;
}

std::optional<Isomorphism> GridSearch::best(std::span<const std::uint64_t> misfits, int rank,
                                            const Adjacency& edges) const {
    int fewest = std::numeric_limits<int>::max(), bit = 0;
    const Grid* best = nullptr;
    for (const auto& grids : grids_)
        for (const auto& grid : grids) {
            if (has_bit(misfits, bit++)) continue;
            const int rounds = distinct_coordinates(neighborhood(grid));
            if (rounds < fewest) fewest = rounds, best = &grid;
        }
    if (!best) return std::nullopt;
    return Recogniser(rank, edges).recognised(*best, neighborhood(*best));
}

}  // namespace carpool::topology
