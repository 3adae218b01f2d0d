// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>

namespace carpool::mpi {

/// Which call a rank makes, and by which candidate, as a number in the tags of its messages. If
/// ranks make different calls, each finds the messages of the other under another number.
class CallCode {
public:
    static CallCode of(schedule::Operation operation, MPI_Op op, std::size_t candidate);
    /// The code of an alltoall along lists that its callers give.
    static CallCode of_lists(std::size_t candidate);
    /// The code of an update of ghosts, or of their reduction by an operator.
    static CallCode of_ghosts(MPI_Op op, std::size_t candidate);
    static CallCode of(collectives::Kind kind, MPI_Op op, int root, std::size_t candidate);

    // in place of a candidate's number, which is below all of these
    /// and one less for rendezvous messages
    static constexpr std::size_t with_length_headers = 15;
    /// the sum by which ranks check their edges
    static constexpr std::size_t confirming = 13;
    /// the sum by which ranks settle an unsized algorithm
    static constexpr std::size_t settling = 12;
    static constexpr std::size_t most_candidates = settling;

    // in place of a whole code, which is above all of these
    static constexpr int of_supersteps = 1;  ///< supersteps that look for an edge that differs
    static constexpr int of_planning = 4;    ///< votes before all ranks plan together

    explicit CallCode(int number) : number_(number) {}

    int number() const { return number_; }

    /// The call as a text: "neighbor_reduce with MPI_SUM". Accepts numbers that no call has, too.
    std::string text() const;

    /// The code of the same call with another number in place of the candidate's.
    CallCode in_way(std::size_t way) const {
        return CallCode((number_ & ~15) | static_cast<int>(way));
    }

private:
    int number_;
};

}  // namespace carpool::mpi
