// SPDX-License-Identifier: MIT
#include "engine/scattered_pieces.hpp"

#include <cstring>
#include <span>
#include <type_traits>

namespace carpool::engine {
namespace {

using Offsets = std::span<const std::int32_t>;

/// @param length  a constant lets the compiler turn memcpy into one load and one store
template <typename Length>
void gather(const std::byte* from, std::byte* to, Length length, Offsets offsets) {
#pragma GCC unroll 8
    for (const auto offset : offsets) {
        std::memcpy(to, from + offset, static_cast<std::size_t>(length));
        to += length;
    }
}

template <typename Length>
void scatter(const std::byte* from, std::byte* to, Length length, Offsets offsets) {
#pragma GCC unroll 8
    for (const auto offset : offsets) {
        std::memcpy(to + offset, from, static_cast<std::size_t>(length));
        from += length;
    }
}

/// Calls copy(length), with a constant where it is a usual one.
template <typename Copy>
void with_length(std::int64_t length, const Copy& copy) {
    switch (length) {
        case 4:
            return copy(std::integral_constant<std::int64_t, 4>());
        case 8:
            return copy(std::integral_constant<std::int64_t, 8>());
        case 16:
            return copy(std::integral_constant<std::int64_t, 16>());
        case 24:
            return copy(std::integral_constant<std::int64_t, 24>());
        default:
            return copy(length);
    }
}

}  // namespace

void ScatteredPieces::append(const ScatteredPieces& other) {
    const auto before = offsets_.size();
    offsets_.insert(offsets_.end(), other.offsets_.begin(), other.offsets_.end());
    for (auto group : other.groups_) {
        group.first += before;
        group.end += before;
        groups_.push_back(group);
    }
}

/// Begins a group at a piece that lies too far from the first one for an Offset.
void ScatteredPieces::begin_again(std::int64_t offset) {
    auto group = groups_.back();
    const auto behind = static_cast<std::int64_t>(group.end - group.first) * group.length;
    const bool reads = group.scattered == Side::read;
    group.from += reads ? offset - origin_ : behind;
    group.to += reads ? behind : offset - origin_;
    group.first = group.end;
    groups_.push_back(group);
    origin_ = offset;
}

void ScatteredPieces::run(std::ptrdiff_t from_shift, std::ptrdiff_t to_shift) const {
    for (const auto& group : groups_) {
        const auto* const from = group.from + from_shift;
        auto* const to = group.to + to_shift;
        const auto offsets = Offsets(offsets_).subspan(group.first, group.end - group.first);
        with_length(group.length, [&](auto length) {
            if (group.scattered == Side::read)
                gather(from, to, length, offsets);
            else
                scatter(from, to, length, offsets);
        });
    }
}

}  // namespace carpool::engine
