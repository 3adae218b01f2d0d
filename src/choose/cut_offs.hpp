// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace carpool::choose {

/// Lengths in bytes at which messages change to another transport, or to being packed.
struct CutOffs {
    std::int64_t whole_through_memory;         ///< longest contiguous message through memory
    std::int64_t put_together_through_memory;  ///< the same for one that is packed

    // For messages that the host MPI sends: a message shorter than one of these is packed, any
    // other is described by a datatype.
    std::int64_t packed_below;            ///< bytes of the message
    std::int64_t packed_below_per_part;   ///< bytes of its blocks, on average
    std::int64_t packed_below_per_piece;  ///< bytes of its contiguous pieces, on average

    friend bool operator==(const CutOffs&, const CutOffs&) = default;
};

/// The longest message that may be faster by either transport.
constexpr std::int64_t longest_by_either_transport = std::int64_t{1} << 20;

/// Whether a message of this length within a node may be faster by either transport, through memory
/// or by the host MPI, whatever the cut-offs say. That depends on where ranks run, which may
/// change.
constexpr bool may_take_either_transport(std::int64_t bytes) {
    return bytes > std::int64_t{1} << 12 && bytes <= longest_by_either_transport;
}

/// The usual cut-offs for the host MPI.
/// @param ranks_share_cores  more ranks run on this node than it has cores
const CutOffs& usual_cut_offs(bool open_mpi, bool ranks_share_cores);

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

/// The cut-offs that were measured on a machine, in the order of named_cut_offs.
struct TunedCutOffs {
    std::optional<std::int64_t> found[std::size(named_cut_offs)];

    /// The measured cut-offs, and the usual ones for the others.
    CutOffs over(CutOffs usual) const;
};

}  // namespace carpool::choose
