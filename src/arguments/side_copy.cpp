// SPDX-License-Identifier: MIT
#include "arguments/side_copy.hpp"

#include <algorithm>
#include <span>

namespace carpool::arguments {
namespace {

template <typename Element>
void copy(std::span<const Element> from, std::vector<Element>& to) {
    to.assign(from.begin(), from.end());
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

void SideCopy::reserve(const Side& side, int blocks) {
    counts_.reserve(side.counts.bytes(blocks).size());
    displacements_.reserve(side.displacements.bytes(blocks).size());
    types_.reserve(types_of(side, blocks).size());
}

void SideCopy::take(const Side& side, int blocks) {
    side_ = side;
    blocks_ = blocks;
    copy(side.counts.bytes(blocks), counts_);
    copy(side.displacements.bytes(blocks), displacements_);
    copy(types_of(side, blocks), types_);
}

bool SideCopy::equals(const Side& side) const {
    return is_at_one_place(side_, side) && has_one_type(side_, side) &&
           side_.counts.resembles(side.counts) &&
           std::ranges::equal(counts_, side.counts.bytes(blocks_)) &&
           std::ranges::equal(displacements_, side.displacements.bytes(blocks_)) &&
           std::ranges::equal(types_, types_of(side, blocks_));
}

}  // namespace carpool::arguments
