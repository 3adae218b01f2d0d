#pragma once

#include "collectives/kind.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>

namespace carpool::mpi {

/// In which way a rank does which call, as a number in the tags of its messages. Ranks that do not
/// do the same find each other's messages under another one.
class CallCode {
public:
    static CallCode of(schedule::Operation operation, MPI_Op op, std::size_t candidate);
    /// Of an alltoall along lists that its callers give.
    static CallCode of_lists(std::size_t candidate);
    static CallCode of(collectives::Kind kind, MPI_Op op, int root, std::size_t candidate);

    // instead of the number of a candidate, which is below all of these
    static constexpr std::size_t with_length_headers =
        15;                                      ///< and one less for messages that are apart
    static constexpr std::size_t planning = 13;  ///< all ranks come to plan together
    static constexpr std::size_t meeting = 12;   ///< or to settle how such calls go
    static constexpr std::size_t most_candidates = meeting;

    // instead of the number of a code, which is above all of these
    static constexpr int of_supersteps = 1;  ///< by which ranks look for an edge that differs
    static constexpr int of_planning = 4;    ///< in which ranks agree before they plan together
    static constexpr int of_rehearsals = 3;  ///< and one less for their messages that are apart

    explicit CallCode(int number) : number_(number) {}

    int number() const { return number_; }

    /// What is called: "neighbor_reduce with MPI_SUM". Also of a number that no call has.
    std::string text() const;

    /// The same call in another way.
    CallCode in_way(std::size_t way) const {
        return CallCode((number_ & ~15) | static_cast<int>(way));
    }

private:
    int number_;
};

}  // namespace carpool::mpi
