// SPDX-License-Identifier: MIT
#include "arguments/side_copy.hpp"

#include <algorithm>
#include <span>

namespace carpool::arguments {
namespace {

std::vector<std::byte> copy_of(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

std::span<const MPI_Datatype> types_of(const Side& side, int blocks) {
    if (!side.varying_types) return {};
    return {side.types, static_cast<std::size_t>(blocks)};
}

bool is_at_one_place(const Side& one, const Side& other) {
    return one.buffer == other.buffer && one.order == other.order &&
           one.displacements.resembles(other.displacements);
}

bool has_one_type(const Side& one, const Side& other) {
    return one.one_type == other.one_type && one.varying_types == other.varying_types;
}

}  // namespace

SideCopy::SideCopy(const Side& side, int blocks)
    : side_(side),
      blocks_(blocks),
      counts_(copy_of(side.counts.bytes(blocks))),
      displacements_(copy_of(side.displacements.bytes(blocks))) {
    const auto types = types_of(side, blocks);
    types_.assign(types.begin(), types.end());
}

bool SideCopy::equals(const Side& side) const {
    return is_at_one_place(side_, side) && has_one_type(side_, side) &&
           side_.counts.resembles(side.counts) &&
           std::ranges::equal(counts_, side.counts.bytes(blocks_)) &&
           std::ranges::equal(displacements_, side.displacements.bytes(blocks_)) &&
           std::ranges::equal(types_, types_of(side, blocks_));
}

}  // namespace carpool::arguments
