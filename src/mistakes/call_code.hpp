#pragma once

#include "collectives/kind.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace carpool::mistakes {

/// In which way a rank does which call, as a number in the tags of its messages. Ranks that do not
/// do the same find each other's messages under another one.
class CallCode {
public:
    static CallCode of(schedule::Operation operation, MPI_Op op, std::size_t candidate);
    /// Of an alltoall along lists that its callers give.
    static CallCode of_lists(std::size_t candidate);
    static CallCode of(collectives::Kind kind, MPI_Op op, int root, std::size_t candidate);

    // instead of the number of a candidate, which is below all of these
    static constexpr std::size_t with_waybills = 15;  ///< and one less for messages that are apart
    static constexpr std::size_t planning = 13;       ///< all ranks come to plan together
    static constexpr std::size_t meeting = 12;        ///< or to settle how such calls go
    static constexpr std::size_t most_candidates = meeting;

    /// Instead of the number of a code: of what ranks tell each other of a call that is wrong.
    static constexpr int of_letters = 1;

    explicit CallCode(int number) : number_(number) {}

    int number() const { return number_; }

    /// What is called: "neighbor_reduce with MPI_SUM".
    std::string text() const;

    /// How this, which one rank calls, is something else than what another one does: an error text
    /// that is right on every rank.
    std::string unlike(int rank, CallCode other, int other_rank) const;

    /// Is the same called, if in another way?
    bool same_call(CallCode other) const;

    /// Do both say the same operation or kind, whatever its root, operator and way?
    bool same_operation(CallCode other) const { return number_ >> 8 == other.number_ >> 8; }

    bool same_way(CallCode other) const { return ((number_ ^ other.number_) & 15) == 0; }

    /// The same call in another way.
    CallCode in_way(std::size_t way) const {
        return CallCode((number_ & ~15) | static_cast<int>(way));
    }

    /// Do ranks come together before the messages of the call itself?
    bool precedes() const {
        const auto way = static_cast<std::size_t>(number_ & 15);
        return way == planning || way == meeting;
    }

    /// All codes, itself first, by how likely it is that another rank does that by mistake.
    std::vector<CallCode> suspects() const;

private:
    int number_;
};

}  // namespace carpool::mistakes
