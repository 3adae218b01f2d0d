#pragma once

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <array>
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

/// Finds out whether all ranks claim the same and none has found a mistake.
///
/// One small allreduce on the user's communicator if so: only there the order of calls is the same
/// on all ranks, whichever other communicators share a channel with it. Ranks that find a
/// difference learn from further allreduces what differs, so the same error is thrown on all.
/// @note Collective: constructor and conclude() are called by all ranks.
class Agreement {
public:
    /// @param mistake  what this rank has found wrong by itself
    Agreement(MPI_Comm comm, std::vector<Claim> claims, std::optional<Error> mistake = {});

    Agreement(const Agreement&) = delete;  // MPI holds the address of its buffer
    Agreement& operator=(const Agreement&) = delete;

    /// Has the allreduce ended? Local.
    bool test();

    /// Throws the same Error on all ranks, or returns the claims with guesses replaced by what
    /// other ranks say.
    std::vector<Claim> conclude();

private:
    void throw_first_mistake() const;
    void reconcile(Claim& claim) const;

    MPI_Comm comm_;
    std::vector<Claim> claims_;
    std::optional<Error> mistake_;
    std::array<std::int64_t, 3> least_{};  // digest, its complement, 0 or -1 for a mistake
    Request request_;
};

}  // namespace carpool::mpi
