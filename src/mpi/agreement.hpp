#pragma once

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/tally.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::mpi {

/// Something that every rank must say alike: an argument's name and its value.
struct Claim {
    std::string name;
    std::vector<std::int64_t> values;
    std::vector<bool> guess = {};  ///< per value, whether others know better; none if empty
};

/// What the ranks exchange to find out: the least and the largest digest of claims, and the mistake
/// of the lowest rank that has found one.
struct Vote {
    std::int64_t least;
    std::int64_t largest;
    int rank;  ///< of the mistake
    int error_class;
    char text[240];
    Tally tally;
};

/// Finds out whether all ranks claim the same and none has found a mistake.
///
/// One small allreduce on the user's communicator: only there the order of calls is the same on all
/// ranks, whichever other communicators share a channel with it. It carries the mistake of the
/// lowest rank that has one. If claims differ, further allreduces tell all ranks what differs.
/// @note Collective: constructor and conclude() are called by all ranks.
class Agreement {
public:
    /// @param mistake  what this rank has found wrong by itself
    Agreement(MPI_Comm comm, std::vector<Claim> claims, std::optional<Error> mistake = {},
              const Tally& tally = {});

    Agreement(const Agreement&) = delete;  // MPI holds the address of its buffer
    Agreement& operator=(const Agreement&) = delete;

    /// Has the allreduce ended? Local.
    bool test();

    /// Returns when it has.
    void wait();

    /// Throws the same Error on all ranks, or returns the claims with guesses replaced by what
    /// other ranks say.
    std::vector<Claim> conclude();

    /// Of all ranks. @pre concluded
    const Tally& tally() const { return vote_.tally; }

private:
    void reconcile(Claim& claim) const;

    MPI_Comm comm_;
    std::vector<Claim> claims_;
    Vote vote_;
    Request request_;
};

}  // namespace carpool::mpi
