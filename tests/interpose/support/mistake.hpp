// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "comm_view.hpp"
#include "draws.hpp"
#include "significance.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace interposed {

/// A mistake in the arguments of a collective.
enum class Mistake {
    negative_sendcount,
    negative_recvcount,
    null_sendtype,
    null_recvtype,
    uncommitted_sendtype,
    uncommitted_recvtype,
    null_sendcounts,
    null_recvcounts,
    null_sdispls,
    null_rdispls,
    null_sendtypes,
    null_recvtypes,
    null_sendbuf,
    null_recvbuf,
    sendbuf_in_place,
    recvbuf_in_place,
    same_buffers,
    root_below,
    root_beyond,
    null_op,
    unfit_op,
    null_comm,
    comm_without_topology,
    null_request,
};

inline constexpr auto all_mistakes = [] {
    std::array<Mistake, 24> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Mistake>(i);
    return all;
}();

inline const char* name_of(Mistake mistake) {
    static constexpr std::array names{"a negative sendcount",
                                      "a negative recvcount",
                                      "a null sendtype",
                                      "a null recvtype",
                                      "an uncommitted sendtype",
                                      "an uncommitted recvtype",
                                      "null for sendcounts",
                                      "null for recvcounts",
                                      "null for sdispls",
                                      "null for rdispls",
                                      "null for sendtypes",
                                      "null for recvtypes",
                                      "null for sendbuf",
                                      "null for recvbuf",
                                      "MPI_IN_PLACE for sendbuf",
                                      "MPI_IN_PLACE for recvbuf",
                                      "one buffer for both sides",
                                      "a root below 0",
                                      "a root beyond the last rank",
                                      "a null operator",
                                      "an operator that does not fit the type",
                                      "a null communicator",
                                      "a communicator without topology",
                                      "null for the request"};
    return names[static_cast<std::size_t>(mistake)];
}

/// A datatype that is never committed.
inline MPI_Datatype uncommitted() {
    static const MPI_Datatype type = [] {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(3, MPI_INT, &made);
        return made;
    }();
    return type;
}

/// Makes mistakes in the call of a rank.
class Spoiler {
public:
    /// @param draws  say which block gets a wrong count or type
    Spoiler(CollectiveCall& call, const CommView& view, const Draws& draws)
        : call_(call),
          view_(view),
          draws_(draws),
          shapes_(described(call.what)),
          significant_(call, view.rank) {}

    /// Makes the mistake; returns false if the call has no such argument that is significant.
    bool make(Mistake mistake) const {
        Side &send = call_.send, &recv = call_.recv;
        const bool sends = significant_.send_blocks(), receives = significant_.recv_blocks();
        switch (mistake) {
            case Mistake::negative_sendcount:
                return sends && spoil_count(send, shapes_.send);
            case Mistake::negative_recvcount:
                return receives && spoil_count(recv, shapes_.recv);
            case Mistake::null_sendtype:
                return sends && spoil_type(send, shapes_.send, MPI_DATATYPE_NULL);
            case Mistake::null_recvtype:
                return receives && spoil_type(recv, shapes_.recv, MPI_DATATYPE_NULL);
            case Mistake::uncommitted_sendtype:
                return sends && spoil_type(send, shapes_.send, uncommitted());
            case Mistake::uncommitted_recvtype:
                return receives && spoil_type(recv, shapes_.recv, uncommitted());
            case Mistake::null_sendcounts:
                return sends && has_lists(send, shapes_.send) && clear(send.counts);
            case Mistake::null_recvcounts:
                return receives && has_lists(recv, shapes_.recv) && clear(recv.counts);
            case Mistake::null_sdispls:
                return sends && has_lists(send, shapes_.send) && clear_displs(send);
            case Mistake::null_rdispls:
                return receives && has_lists(recv, shapes_.recv) && !shapes_.reduces &&
                       clear_displs(recv);
            case Mistake::null_sendtypes:
                return sends && has_types(send, shapes_.send) && clear(send.types);
            case Mistake::null_recvtypes:
                return receives && has_types(recv, shapes_.recv) && clear(recv.types);
            case Mistake::null_sendbuf:
                return has_sendbuf() && set(send.buffer, nullptr);
            case Mistake::null_recvbuf:
                return has_recvbuf() && set(recv.buffer, nullptr);
            case Mistake::sendbuf_in_place:
                return has_sendbuf() && !significant_.may_send_in_place() &&
                       set(send.buffer, MPI_IN_PLACE);
            case Mistake::recvbuf_in_place:
                return has_recvbuf() && !significant_.may_receive_in_place() &&
                       set(recv.buffer, MPI_IN_PLACE);
            case Mistake::same_buffers:
                return has_sendbuf() && has_recvbuf() && recv.count() > 1 &&
                       set(send.buffer, recv.buffer);
            case Mistake::root_below:
                return shapes_.has_root && set(call_.root, -9);
            case Mistake::root_beyond:
                return shapes_.has_root && set(call_.root, view_.ranks);
            case Mistake::null_op:
                return shapes_.reduces && set(call_.op, MPI_OP_NULL);
            case Mistake::unfit_op:
                return shapes_.reduces && recv.type() == MPI_DOUBLE && set(call_.op, MPI_BXOR);
            case Mistake::null_comm:
                return set(call_.comm, MPI_COMM_NULL);
            case Mistake::comm_without_topology:
                return of_neighbors(call_.what) && set(call_.comm, MPI_COMM_WORLD);
            case Mistake::null_request:
                return call_.form != Form::blocking;
        }
        return false;
    }

private:
    template <typename Argument, typename Value>
    static bool set(Argument& argument, Value value) {
        argument = value;
        return true;
    }
    template <typename Element>
    static bool clear(std::vector<Element>& array) {
        array = std::vector<Element>();
        return true;
    }
    static bool clear_displs(Side& side) { return clear(side.displs) && clear(side.byte_displs); }

    static bool is_list(Shape shape) { return shape == Shape::varying || shape == Shape::typed; }
    /// Counts in the arguments; the last element of an array is no block's.
    static int counts(const Side& side, Shape shape) {
        return is_list(shape) ? static_cast<int>(side.counts.size()) - 1 : 1;
    }
    static bool has_lists(const Side& side, Shape shape) {
        return is_list(shape) && counts(side, shape) > 0;
    }
    static bool has_types(const Side& side, Shape shape) {
        return shape == Shape::typed && counts(side, shape) > 0;
    }
    static bool has_content(const Side& side) {
        return std::any_of(side.counts.begin(), side.counts.end(), [](int n) { return n > 0; });
    }
    bool has_sendbuf() const {
        const bool to_none = of_neighbors(call_.what) && view_.out() == 0;
        return !to_none && significant_.sendbuf() && call_.send.buffer != MPI_IN_PLACE &&
               has_content(shapes_.reduces ? call_.recv : call_.send);
    }
    bool has_recvbuf() const {
        const bool of_none = of_neighbors(call_.what) && view_.in() == 0;
        return !of_none && significant_.recvbuf() && call_.recv.buffer != MPI_IN_PLACE &&
               has_content(call_.recv);
    }

    int drawn(const Side& side, Shape shape) const {
        return draws_.of(draw::mistaken_block, counts(side, shape));
    }
    bool spoil_count(Side& side, Shape shape) const {
        return counts(side, shape) > 0 &&
               set(side.counts[static_cast<std::size_t>(drawn(side, shape))], -1);
    }
    /// Gives another type to a block that is not empty.
    bool spoil_type(Side& side, Shape shape, MPI_Datatype type) const {
        const int number = counts(side, shape), first = number > 0 ? drawn(side, shape) : 0;
        for (int i = 0; i < number; ++i) {
            const auto block = static_cast<std::size_t>((first + i) % number);
            if (side.counts[block] > 0)
                return set(side.types[shape == Shape::typed ? block : 0], type);
        }
        return false;
    }

    CollectiveCall& call_;
    const CommView& view_;
    const Draws& draws_;
    const Description& shapes_;
    Significance significant_;
};

}  // namespace interposed
