#pragma once

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/tally.hpp"
#include "mpi/vote_transport.hpp"

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

/// Something that every rank must say alike: an argument's name and its value.
struct Claim {
    std::string name;
    std::vector<std::int64_t> values;
    std::vector<bool> guess = {}; /**< per value, whether others know better; empty, on all ranks
                                       alike, where nobody guesses */
    std::function<Wording(std::size_t i, std::int64_t value)> wording = {};  ///< unless a number
    std::string advice = {};  ///< ends the error text: what takes values that differ
};

constexpr std::size_t most_claims = 9;

/// What the ranks exchange to find out: of each claim the least and the largest digest, and the
/// mistake of the lowest rank that has found one. `room` pairs of numbers follow, of which the
/// least is taken: per value that may be a guess, what a rank is sure of, and its complement.
struct Vote {
    std::array<std::int64_t, most_claims> least;
    std::array<std::int64_t, most_claims> largest;
    int rank;  ///< of the mistake
    int error_class;
    char text[240];
    Tally tally;
    std::int64_t room;
};

/// Finds out whether all ranks claim the same and none has found a mistake.
///
/// One small allreduce, which carries the mistake of the lowest rank that has one. Without a
/// transport it is on the user's communicator: only there the order of calls is the same on all
/// ranks, whichever other communicators share a channel with it.
/// @note Collective: constructed by all ranks.
class Agreement {
public:
    /// @param mistake  what this rank has found wrong by itself
    /// @param room     most values of which some are guesses, alike on all ranks also where they
    ///                 claim what differs
    /// @param transport      null for MPI_Iallreduce on comm; with one comm may be freed meanwhile,
    ///                       unless they conclude together
    Agreement(MPI_Comm comm, std::vector<Claim> claims, std::optional<Error> mistake = {},
              const Tally& tally = {}, int room = 0,
              std::shared_ptr<VoteTransport> transport = nullptr);

    Agreement(const Agreement&) = delete;  // MPI holds the address of its buffer
    Agreement& operator=(const Agreement&) = delete;

    /// Has the allreduce ended? Local.
    bool test() { return transport_->test(); }

    /// Gives it up, with all that it holds. Local.
    void withdraw() { transport_->withdraw(); }

    /// Whose messages are missing, as far as is known.
    std::vector<int> awaited() const { return transport_->awaited(); }

    /// Throws the same Error on all ranks, or returns the claims with guesses replaced by what
    /// other ranks say. Local: if claims differ it says which, and only of guesses how.
    /// @pre test()
    std::vector<Claim> conclude();

    /// As conclude, but further allreduces find out how claims differ.
    /// @note Collective. @pre no rank leaves the call before its end
    std::vector<Claim> conclude_together();

    /// That of the lowest rank that has found one. @pre test()
    std::optional<Mistake> mistake() const;

    /// Of all ranks. @pre test()
    const Tally& tally() const { return vote().tally; }

private:
    class Ballots;

    Vote& vote() { return *reinterpret_cast<Vote*>(ballot_.data()); }
    const Vote& vote() const { return *reinterpret_cast<const Vote*>(ballot_.data()); }
    std::int64_t* pairs() { return reinterpret_cast<std::int64_t*>(ballot_.data() + sizeof(Vote)); }

    bool differs(std::size_t claim) const;
    void conclude_mistake();
    void say_sure_values();
    void replace_guesses(MPI_Comm comm);

    MPI_Comm comm_;
    std::vector<Claim> claims_;
    std::shared_ptr<Ballots> ballots_;  // the transport's, until the end
    std::vector<std::byte> ballot_;
    std::shared_ptr<VoteTransport> transport_;
};

}  // namespace carpool::mpi
