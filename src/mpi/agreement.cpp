#include "mpi/agreement.hpp"

#include "mpi/contiguous.hpp"
#include "mpi/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace carpool::mpi {
namespace {

/// Of all values, and where one claim ends and the next begins.
std::int64_t digest(const std::vector<Claim>& claims) {
    Digest digest;
    for (const auto& claim : claims) {
        digest.add(static_cast<std::int64_t>(claim.values.size()));
        for (const auto value : claim.values) digest.add(value);
    }
    return std::bit_cast<std::int64_t>(digest.bits());
}

void allreduce_min(std::vector<std::int64_t>& values, MPI_Comm comm) {
    check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T,
                        MPI_MIN, comm),
          "MPI_Allreduce");
}

struct Range {
    std::int64_t low;
    std::int64_t high;
};

/// Per value, the least and the largest that a rank is sure of; low > high if none is.
std::vector<Range> ranges(const std::vector<std::int64_t>& values, const std::vector<bool>& guess,
                          MPI_Comm comm) {
    constexpr auto none = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> both;
    both.reserve(2 * values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool sure = guess.empty() || !guess[i];
        both.push_back(sure ? values[i] : none);
        both.push_back(sure ? ~values[i] : none);
    }
    allreduce_min(both, comm);
    std::vector<Range> result;
    result.reserve(values.size());
    for (std::size_t i = 0; i < both.size(); i += 2) result.push_back({both[i], ~both[i + 1]});
    return result;
}

std::string between(const Range& range) {
    return std::to_string(range.low) + " on one rank and " + std::to_string(range.high) +
           " on another, expected the same on all ranks";
}

constexpr int no_mistake = std::numeric_limits<int>::max();

void combine(const Vote& from, Vote& into) {
    const auto least = std::min(from.least, into.least);
    const auto largest = std::max(from.largest, into.largest);
    auto tally = into.tally;
    tally.add(from.tally);
    if (from.rank < into.rank) into = from;
    into.least = least;
    into.largest = largest;
    into.tally = tally;
}

void combine_votes(void* from, void* into, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i)
        combine(static_cast<const Vote*>(from)[i], static_cast<Vote*>(into)[i]);
}

/// Made once and kept until MPI ends.
MPI_Op vote_op() {
    static const MPI_Op op = [] {
        MPI_Op made = MPI_OP_NULL;
        check(MPI_Op_create(combine_votes, 1, &made), "MPI_Op_create");
        return made;
    }();
    return op;
}

MPI_Datatype vote_type() {
    static const MPI_Datatype type = contiguous(sizeof(Vote), MPI_BYTE).release();
    return type;
}

Vote vote_of(MPI_Comm comm, std::int64_t hash, const std::optional<Error>& mistake,
             const Tally& tally) {
    Vote vote{hash, hash, no_mistake, MPI_SUCCESS, "", tally};
    if (!mistake) return vote;
    check(MPI_Comm_rank(comm, &vote.rank), "MPI_Comm_rank");
    vote.error_class = mistake->error_class();
    std::strncpy(vote.text, mistake->what(), sizeof vote.text - 1);
    return vote;
}

}  // namespace

Agreement::Agreement(MPI_Comm comm, std::vector<Claim> claims, std::optional<Error> mistake,
                     const Tally& tally)
    : comm_(comm),
      claims_(std::move(claims)),
      vote_(vote_of(comm, digest(claims_), mistake, tally)) {
    check(MPI_Iallreduce(MPI_IN_PLACE, &vote_, 1, vote_type(), vote_op(), comm_, request_.out()),
          "MPI_Iallreduce");
}

bool Agreement::test() {
    int flag = 0;
    check(MPI_Test(request_.out(), &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

void Agreement::wait() { check(MPI_Wait(request_.out(), MPI_STATUS_IGNORE), "MPI_Wait"); }

std::vector<Claim> Agreement::conclude() {
    wait();
    if (vote_.rank != no_mistake)
        throw Error(vote_.error_class, "rank " + std::to_string(vote_.rank) + ": " + vote_.text);
    if (vote_.least != vote_.largest)
        for (auto& claim : claims_) reconcile(claim);
    return std::move(claims_);
}

void Agreement::reconcile(Claim& claim) const {
    const auto length = ranges({static_cast<std::int64_t>(claim.values.size())}, {}, comm_).front();
    if (length.low != length.high)
        throw Error(MPI_ERR_ARG, "length of " + claim.name + " is " + between(length));
    const auto all = ranges(claim.values, claim.guess, comm_);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].low < all[i].high) {
            const auto name =
                all.size() > 1 ? element(claim.name, static_cast<std::int64_t>(i)) : claim.name;
            throw Error(MPI_ERR_ARG, name + " is " + between(all[i]));
        }
        claim.values[i] = all[i].low == all[i].high ? all[i].low : 0;
    }
}

}  // namespace carpool::mpi
