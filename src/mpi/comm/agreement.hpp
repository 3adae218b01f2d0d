// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "mpi/comm/tally.hpp"
#include "mpi/comm/vote_transport.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::mpi {

/// How a value of a claim reads in an error text.
struct Wording {
    std::string name;
    std::string value;
};

/// Something that must be the same on all ranks: an argument's name and its value.
struct Claim {
    std::string name;
    std::vector<std::int64_t> values;
    std::vector<bool> guess = {}; /**< per value, whether this rank only guesses it; empty on all
                                       ranks if none of them guesses */
    std::function<Wording(std::size_t i, std::int64_t value)> wording = {};  ///< null for numbers
    std::string advice = {};  ///< ends the error text: which call accepts values that differ
};

constexpr std::size_t most_claims = 9;

/// The digest of a claim, and the lowest rank that has it. That of one small value shows the value.
struct Voice {
    std::int64_t digest;
    int rank;
};

/// What the ranks exchange in order to agree: the smallest and the largest digest of each claim,
/// and the mistake of the lowest rank that has found one. `room` pairs of numbers follow, which are
/// combined by their minimum: per value that may be a guess, the value of a rank that is sure of
/// it, and its complement.
struct Vote {
    std::array<Voice, most_claims> least;
    std::array<Voice, most_claims> largest;
    int rank;  ///< the rank that has found the mistake
    int error_class;
    char text[240];
    Tally tally;
    std::int64_t room;
};

/// Finds out whether all ranks make the same claims and none has found a mistake.
///
/// This is one small allreduce, which carries the mistake of the lowest rank that has one. Without
/// a transport it runs on the user's communicator: only there is the order of calls the same on all
/// ranks, whichever other communicators share a channel with it.
/// @note Collective: constructed by all ranks.
class Agreement {
public:
    /// @param mistake    an error that this rank has found locally
    /// @param room       the largest number of values in a claim with guesses, the same on all
    ///                   ranks even if their claims differ
    /// @param transport  null for MPI_Iallreduce on comm; otherwise comm may be freed meanwhile,
    ///                   unless conclude_together() is called
    Agreement(MPI_Comm comm, std::vector<Claim> claims, const std::optional<Error>& mistake = {},
              const Tally& tally = {}, int room = 0,
              std::shared_ptr<VoteTransport> transport = nullptr);

    Agreement(const Agreement&) = delete;  // MPI holds the address of its buffer
    Agreement& operator=(const Agreement&) = delete;

    /// Has the allreduce ended? Local.
    bool test() { return transport_->test(); }

    /// Gives up the agreement and all that it holds. Local.
    void withdraw() { transport_->withdraw(); }

    /// Visits the ranks whose messages are missing, as far as is known.
    void visit_awaited(const base::RankVisitor& visit) const { transport_->visit_awaited(visit); }

    /// Throws the same Error on all ranks, or returns the claims with guesses replaced by the
    /// values of which other ranks are sure. Local: the error text names the claim that differs and
    /// two ranks, but values only for a claim with guesses or with a single value.
    /// @pre test()
    std::vector<Claim> conclude();

    /// As conclude(), but further allreduces find out how claims differ.
    /// @note Collective. @pre No rank leaves the call before its end
    std::vector<Claim> conclude_together();

    /// The mistake of the lowest rank that has found one. @pre test()
    std::optional<Mistake> mistake() const;

    /// The combined tally of all ranks. @pre test()
    const Tally& tally() const { return vote().tally; }

private:
    class Ballots;

    Vote& vote() { return *reinterpret_cast<Vote*>(ballot_.data()); }
    const Vote& vote() const { return *reinterpret_cast<const Vote*>(ballot_.data()); }
    std::int64_t* pairs() { return reinterpret_cast<std::int64_t*>(ballot_.data() + sizeof(Vote)); }

    bool differs(std::size_t claim) const;
    [[noreturn]] void refuse_difference(std::size_t claim) const;
    void conclude_mistake();
    void say_sure_values();
    void replace_guesses(MPI_Comm comm);

    MPI_Comm comm_;
    std::vector<Claim> claims_;
    std::shared_ptr<Ballots> ballots_;  // used by the transport until the end
    std::vector<std::byte> ballot_;
    std::shared_ptr<VoteTransport> transport_;
};

}  // namespace carpool::mpi
