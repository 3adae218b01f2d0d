#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace carpool::choose {

/// Lengths, in bytes, at which messages begin to go another way.
struct CutOffs {
    std::int64_t whole_through_memory;  ///< longest message of one piece that goes through memory
    std::int64_t put_together_through_memory;  ///< the same of one that we put together

    // Of what MPI sends: a message that is shorter than one of these is packed, any other is
    // described to MPI by a datatype.
    std::int64_t packed_below;            ///< bytes of the message
    std::int64_t packed_below_per_part;   ///< bytes of its blocks, on average
    std::int64_t packed_below_per_piece;  ///< bytes of its contiguous pieces, on average

    friend bool operator==(const CutOffs&, const CutOffs&) = default;
};

/// May a message of so many bytes within a node be faster through memory or by MPI, whatever the
/// cut-offs say? It depends on where ranks run, which may change.
constexpr bool has_two_ways(std::int64_t bytes) {
    return bytes > std::int64_t{1} << 12 && bytes <= std::int64_t{1} << 20;
}

/// May one of some?
constexpr bool any_has_two_ways(std::span<const std::int64_t> bytes) {
    return std::ranges::any_of(bytes, has_two_ways);
}

/// As fits the MPI that runs.
const CutOffs& usual_cut_offs(bool open_mpi);

/// A cut-off by the name that it has in a tuning file.
struct NamedCutOff {
    std::string_view name;
    std::int64_t CutOffs::* member;
};

inline constexpr NamedCutOff named_cut_offs[] = {
    {"whole_through_memory", &CutOffs::whole_through_memory},
    {"put_together_through_memory", &CutOffs::put_together_through_memory},
    {"packed_below", &CutOffs::packed_below},
    {"packed_below_per_part", &CutOffs::packed_below_per_part},
    {"packed_below_per_piece", &CutOffs::packed_below_per_piece},
};

/// What was measured on a machine, where it was, in the order of their names.
struct TunedCutOffs {
    std::optional<std::int64_t> found[std::size(named_cut_offs)];

    /// These, and the others as they are usually.
    CutOffs over(CutOffs usual) const;
};

}  // namespace carpool::choose
