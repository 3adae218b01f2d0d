// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"

#include <mpi.h>

namespace interposed {

/// Which arguments of a call are significant on a rank.
class Significance {
public:
    Significance(const CollectiveCall& call, int rank)
        : call_(call),
          is_root_(rank == call.root),
          is_first_(rank == 0),
          shapes_(described(call.what)) {}

    bool sendbuf() const {
        const bool exists = shapes_.send != Shape::none || shapes_.reduces;
        return exists && (!at_root_alone(shapes_.send, shapes_.recv) || is_root_);
    }
    bool recvbuf() const {
        const bool at_root =
            shapes_.has_root && (shapes_.reduces || at_root_alone(shapes_.recv, shapes_.send));
        const bool without_result = call_.what == Collective::exscan && is_first_;
        return shapes_.recv != Shape::none && (!at_root || is_root_) && !without_result;
    }
    /// Count and type of a reduction count as those of recv.
    bool send_blocks() const {
        return shapes_.send != Shape::none && sendbuf() && call_.send.buffer != MPI_IN_PLACE;
    }
    bool recv_blocks() const {
        return shapes_.reduces || (recvbuf() && call_.recv.buffer != MPI_IN_PLACE);
    }
    bool may_send_in_place() const {
        return shapes_.in_place == InPlace::sendbuf ||
               (shapes_.in_place == InPlace::sendbuf_at_root && is_root_);
    }
    bool may_receive_in_place() const {
        return shapes_.in_place == InPlace::recvbuf_at_root && is_root_;
    }

private:
    /// The side of a gather or scatter that has a block for each rank.
    bool at_root_alone(Shape side, Shape other) const {
        const bool of_all = side == Shape::row || side == Shape::varying;
        return shapes_.has_root && of_all && other == Shape::one;
    }

    const CollectiveCall& call_;
    bool is_root_, is_first_;
    const Description& shapes_;
};

}  // namespace interposed
