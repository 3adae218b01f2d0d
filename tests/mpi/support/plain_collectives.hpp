// SPDX-License-Identifier: MIT
#pragma once

#include "moving.hpp"
#include "operators.hpp"
#include "summing.hpp"
#include "world.hpp"

namespace carpool::tests {

/// Every collective on ints, with blocks of the same size.
class PlainCollectives {
public:
    /// The collective, as this rank of comm sees it. It must not outlive this object.
    CollectiveCase one_case(Collective what, MPI_Comm comm, int root = 0, int count = 3) const {
        const int ranks = size_of(comm), rank = rank_in(comm);
        if (!reduces(what))
            return moving({what, ranks, root, false, false, count, &ints_, 1}, rank);
        const Kind sum{"int, sum", MPI_INT, MPI_SUM, true, write_value<int>};
        return summing({what, ranks, root, false, false, count, sum, 1}, rank);
    }

private:
    TypeFamily ints_ = TypeFamily("int").has("int", MPI_INT);
};

}  // namespace carpool::tests
