// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "comm_view.hpp"
#include "draws.hpp"
#include "host_refusals.hpp"
#include "mistake.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace interposed {

/// An unusual way to give the arguments of a right call. One rank may do so and others not.
enum class Variant {
    insignificant_side,  ///< nonsense for a side that only the root reads
    insignificant_send,  ///< nonsense for count and type of a send buffer in place
    null_type_of_nothing,
    null_buffer_of_nothing,
    null_first_result,  ///< for recvbuf on rank 0 of an exscan
    place_by_address,   ///< where the block lies in the other buffer, instead of MPI_IN_PLACE
};

inline constexpr auto all_variants = [] {
    std::array<Variant, 6> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Variant>(i);
    return all;
}();

inline const char* name_of(Variant variant) {
    static constexpr std::array names{
        "nonsense where only the root reads", "nonsense beside MPI_IN_PLACE",
        "null types of empty blocks",         "null buffers without content",
        "null for rank 0 of an exscan",       "an address for MPI_IN_PLACE"};
    return names[static_cast<std::size_t>(variant)];
}

/// Changes a right call of a rank to one that means the same.
class EquivalentCall {
public:
    EquivalentCall(CollectiveCall& call, const CommView& view)
        : call_(call), view_(view), shapes_(described(call.what)), significant_(call, view.rank) {}

    /// Returns false if the call has no such argument, or the host does not accept the variant.
    bool apply(Variant variant) const {
        if (!host_accepts(variant)) return false;
        switch (variant) {
            case Variant::insignificant_side:
                return insignificant_side();
            case Variant::insignificant_send:
                return call_.send.buffer == MPI_IN_PLACE && shapes_.send != Shape::none &&
                       make_nonsense(call_.send, MPI_IN_PLACE);
            case Variant::null_type_of_nothing:
                return null_types(call_.send, shapes_.send, significant_.send_blocks()) |
                       null_types(call_.recv, shapes_.recv, significant_.recv_blocks());
            case Variant::null_buffer_of_nothing:
                return null_buffer(call_.send, significant_.send_blocks()) |
                       null_buffer(call_.recv, significant_.recvbuf() && !shapes_.reduces);
            case Variant::null_first_result:
                return call_.what == Collective::exscan && view_.rank == 0 &&
                       call_.send.buffer != MPI_IN_PLACE && set_null(call_.recv.buffer);
            case Variant::place_by_address:
                return place_by_address();
        }
        return false;
    }

private:
    bool host_accepts(Variant variant) const {
        using enum Collective;
        switch (variant) {
            case Variant::null_type_of_nothing:
                return !is_open_mpi && shapes_.send == Shape::typed;
            case Variant::null_first_result:
                return is_open_mpi;
            case Variant::place_by_address:
                return is_open_mpi && call_.what != reduce && call_.what != allreduce;
            default:
                return true;
        }
    }

    static bool set_null(void*& buffer) {
        buffer = nullptr;
        return true;
    }
    static bool make_nonsense(Side& side, void* buffer) {
        side.buffer = buffer;
        side.counts.assign(1, -3);
        side.displs = std::vector<int>();
        side.types.assign(1, MPI_DATATYPE_NULL);
        return true;
    }
    bool insignificant_side() const {
        if (call_.what == Collective::reduce)
            return view_.rank != call_.root && set_null(call_.recv.buffer);
        if (!shapes_.has_root || view_.rank == call_.root) return false;
        if (!significant_.sendbuf()) return make_nonsense(call_.send, nullptr);
        return !significant_.recvbuf() && make_nonsense(call_.recv, nullptr);
    }

    static bool null_types(Side& side, Shape shape, bool significant) {
        if (!significant || shape == Shape::none) return false;
        bool any = false;
        for (std::size_t i = 0; i < side.types.size(); ++i) {
            const bool empty = shape == Shape::typed ? side.counts[i] == 0 : is_empty(side);
            if (empty) side.types[i] = MPI_DATATYPE_NULL;
            any = any || empty;
        }
        return any;
    }
    static bool is_empty(const Side& side) {
        return std::all_of(side.counts.begin(), side.counts.end(), [](int n) { return n == 0; });
    }
    static bool null_buffer(Side& side, bool significant) {
        return significant && side.buffer != MPI_IN_PLACE && is_empty(side) &&
               set_null(side.buffer);
    }

    /// The block that this rank has in the side of all blocks, as a side of one block.
    bool place_by_address() const {
        if (call_.send.buffer == MPI_IN_PLACE && shapes_.reduces) {
            call_.send.buffer = call_.recv.buffer;
            return true;
        }
        if (call_.send.buffer == MPI_IN_PLACE && shapes_.send == Shape::one)
            return place_in(call_.recv, shapes_.recv, call_.send);
        return call_.recv.buffer == MPI_IN_PLACE && place_in(call_.send, shapes_.send, call_.recv);
    }
    bool place_in(const Side& all, Shape shape, Side& one) const {
        const auto rank = static_cast<std::size_t>(view_.rank);
        one.counts.assign(1, all.counts[shape == Shape::row ? 0 : rank]);
        one.types.assign(1, all.type());
        one.buffer = static_cast<char*>(all.buffer) + all.byte_displs[rank];
        return true;
    }

    CollectiveCall& call_;
    const CommView& view_;
    const Description& shapes_;
    Significance significant_;
};

}  // namespace interposed
