// SPDX-License-Identifier: MIT
#include "routing/basis/offset_space.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace carpool::routing {
namespace {

/// The sums of a search lie within this many radii of zero: no basis that is tried has more than 32
/// steps, and none of these is longer than four radii.
constexpr std::int64_t radii = 128;
constexpr std::int64_t longest_radius = 1 << 24;

std::int64_t radius_along(const topology::Neighborhood& neighborhood, int dimension) {
    std::int64_t radius = 1;
    for (int i = 0; i < neighborhood.size(); ++i)
        radius = std::max(
            radius, std::abs(std::int64_t{neighborhood[i][static_cast<std::size_t>(dimension)]}));
    return radius;
}

int signed_width(std::int64_t reach) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(reach))) + 1;
}

}  // namespace

std::optional<OffsetSpace> OffsetSpace::of(const topology::Grid& grid,
                                           const topology::Neighborhood& neighborhood) {
    OffsetSpace space;
    int shift = 0;
    for (int k = 0; k < grid.dimensions(); ++k) {
        const auto radius = radius_along(neighborhood, k);
        const bool comes_round = grid.periodic(k) && grid.dim(k) <= radii * radius;
        if (!comes_round && radius > longest_radius) return std::nullopt;
        const int width = signed_width(comes_round ? grid.dim(k) : radii * radius);
        space.fields_.push_back({shift, width, comes_round ? grid.dim(k) : 0, !grid.periodic(k)});
        shift += width;
    }
    if (shift > 63) return std::nullopt;
    return space;
}

std::int64_t OffsetSpace::coordinate(const Field& field, Offset offset) {
    const auto top = static_cast<std::uint64_t>(offset) << (64 - field.shift - field.width);
    return static_cast<std::int64_t>(top) >> (64 - field.width);
}

OffsetSpace::Offset OffsetSpace::placed(const Field& field, std::int64_t coordinate) {
    if (field.modulus > 0) {
        if (2 * coordinate > field.modulus) coordinate -= field.modulus;
        if (2 * coordinate <= -field.modulus) coordinate += field.modulus;
    }
    const auto bits =
        static_cast<std::uint64_t>(coordinate) & ((std::uint64_t{1} << field.width) - 1);
    return static_cast<Offset>(bits << field.shift);
}

OffsetSpace::Offset OffsetSpace::packed(std::span<const int> offset) const {
    Offset result = 0;
    for (std::size_t k = 0; k < fields_.size(); ++k) {
        const int modulus = fields_[k].modulus;
        result |= placed(fields_[k], modulus > 0 ? offset[k] % modulus : offset[k]);
    }
    return result;
}

std::vector<int> OffsetSpace::unpacked(Offset offset) const {
    std::vector<int> result;
    for (const auto& field : fields_) result.push_back(static_cast<int>(coordinate(field, offset)));
    return result;
}

OffsetSpace::Offset OffsetSpace::plus(Offset a, Offset b) const {
    Offset sum = 0;
    for (const auto& field : fields_)
        sum |= placed(field, coordinate(field, a) + coordinate(field, b));
    return sum;
}

OffsetSpace::Offset OffsetSpace::minus(Offset a, Offset b) const {
    Offset difference = 0;
    for (const auto& field : fields_)
        difference |= placed(field, coordinate(field, a) - coordinate(field, b));
    return difference;
}

bool OffsetSpace::agree(Offset a, Offset b) const {
    return std::none_of(fields_.begin(), fields_.end(), [a, b](const Field& field) {
        if (!field.mesh) return false;
        const auto x = coordinate(field, a);
        const auto y = coordinate(field, b);
        return (x > 0 && y < 0) || (x < 0 && y > 0);
    });
}

std::optional<std::vector<OffsetSpace::Offset>> OffsetSpace::all_towards(
    std::span<const Offset> targets, std::int64_t most) const {
    std::vector<Offset> steps{0};
    for (const auto& field : fields_) {
        if (field.modulus == 0 && !field.mesh) return std::nullopt;
        std::int64_t low = 0;
        std::int64_t high = field.modulus > 0 ? field.modulus - 1 : 0;
        for (const auto target : targets) {
            if (!field.mesh) break;
            low = std::min(low, coordinate(field, target));
            high = std::max(high, coordinate(field, target));
        }
        if (static_cast<std::int64_t>(steps.size()) * (high - low + 1) > most) return std::nullopt;
        std::vector<Offset> more;
        for (const auto step : steps)
            for (auto c = low; c <= high; ++c) more.push_back(step | placed(field, c));
        steps = std::move(more);
    }
    std::erase_if(steps, [&](Offset step) {
        return step == 0 || std::none_of(targets.begin(), targets.end(), [&](Offset target) {
                   return leads_towards(step, target);
               });
    });
    return steps;
}

std::vector<OffsetSpace::Offset> OffsetSpace::with_step(std::vector<Offset> sums,
                                                        Offset step) const {
    const auto before = sums.size();
    for (std::size_t i = 0; i < before; ++i)
        if (agree(sums[i], step)) sums.push_back(plus(sums[i], step));
    std::sort(sums.begin(), sums.end());
    sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
    return sums;
}

}  // namespace carpool::routing
