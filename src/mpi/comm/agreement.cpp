// SPDX-License-Identifier: MIT
#include "mpi/comm/agreement.hpp"

#include "base/digest.hpp"
#include "mpi/tests.hpp"
#include "mpi/types/contiguous.hpp"
#include "mpi/until_end.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <span>

namespace carpool::mpi {
namespace {

/// The value that a digest shows: those of single values are odd, all others even.
std::optional<std::int64_t> shown(std::int64_t digest) {
    return digest % 2 != 0 ? std::optional(digest >> 1) : std::nullopt;
}

std::optional<std::int64_t> shown_digest(const Claim& claim) {
    if (claim.values.size() != 1 || !claim.guess.empty()) return std::nullopt;
    const auto value = claim.values.front();
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 2;
    const bool fits = -most <= value && value <= most;
    return fits ? std::optional(2 * value + 1) : std::nullopt;
}

/// A digest of the values of which this rank is sure.
std::int64_t digest(const Claim& claim) {
    if (const auto one = shown_digest(claim)) return *one;
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(claim.values.size()));
    if (claim.guess.empty())
        for (const auto value : claim.values) digest.add(value);
    return std::bit_cast<std::int64_t>(digest.bits()) & ~std::int64_t{1};
}

constexpr auto none = std::numeric_limits<std::int64_t>::max();

/// The smallest and the largest value of which a rank is sure; low > high if no rank is.
struct Range {
    std::int64_t low;
    std::int64_t high;
};

std::vector<Range> ranges(std::span<const std::int64_t> values, MPI_Comm comm) {
    std::vector<std::int64_t> both;
    for (const auto value : values) both.insert(both.end(), {value, ~value});
    check(MPI_Allreduce(MPI_IN_PLACE, both.data(), static_cast<int>(both.size()), MPI_INT64_T,
                        MPI_MIN, comm),
          "MPI_Allreduce");
    std::vector<Range> result;
    for (std::size_t i = 0; i < both.size(); i += 2) result.push_back({both[i], ~both[i + 1]});
    return result;
}

/// The lowest ranks that are sure of the two ends of a range.
struct RanksOfValue {
    int low;
    int high;
};

/// @param own  this rank's value, if it is sure of it. @note Collective.
RanksOfValue sayers(const Range& range, std::optional<std::int64_t> own, MPI_Comm comm) {
    constexpr int nobody = std::numeric_limits<int>::max();
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    int both[2] = {own == range.low ? rank : nobody, own == range.high ? rank : nobody};
    check(MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return {both[0], both[1]};
}

Wording wording_of(const Claim& claim, std::size_t i, std::int64_t value) {
    if (claim.wording) return claim.wording(i, value);
    const auto at = static_cast<std::int64_t>(i);
    return {claim.values.size() > 1 ? element(claim.name, at) : claim.name, std::to_string(value)};
}

[[noreturn]] void refuse(const std::string& name, const std::string& one, const std::string& other,
                         const std::string& advice) {
    throw Error(MPI_ERR_ARG, name + " is " + one + " and " + other +
                                 ", expected the same on all ranks" + advice);
}

/// Names one rank for each of two values, the lower rank first. @note Collective.
[[noreturn]] void refuse(const Wording& low, const Wording& high, const RanksOfValue& who,
                         const std::string& advice) {
    const auto one = low.value + " on rank " + std::to_string(who.low);
    const auto other = high.value + " on rank " + std::to_string(who.high);
    refuse(low.name, who.low < who.high ? one : other, who.low < who.high ? other : one, advice);
}

/// @param comm  of all ranks, if all are here and can find out which of them differ; otherwise null
void check_same(const Claim& claim, std::size_t i, const Range& range, MPI_Comm comm) {
    if (range.low >= range.high) return;
    const auto low = wording_of(claim, i, range.low);
    const auto high = wording_of(claim, i, range.high);
    if (comm == MPI_COMM_NULL)
        refuse(low.name, low.value + " on one rank", high.value + " on another", claim.advice);
    const bool guessed = !claim.guess.empty() && claim.guess[i];
    const auto own = guessed ? std::nullopt : std::optional(claim.values[i]);
    refuse(low, high, sayers(range, own, comm), claim.advice);
}

/// Throws an Error that names the first value that differs, among those that all ranks have, or
/// else the lengths. @note Collective.
void tell_difference(const Claim& claim, MPI_Comm comm) {
    const auto own = static_cast<std::int64_t>(claim.values.size());
    const auto length = ranges(std::span(&own, 1), comm).front();
    const auto common =
        ranges(std::span(claim.values).first(static_cast<std::size_t>(length.low)), comm);
    for (std::size_t i = 0; i < common.size(); ++i) check_same(claim, i, common[i], comm);
    check_same({"length of " + claim.name, {own}}, 0, length, comm);
}

constexpr int no_mistake = std::numeric_limits<int>::max();

std::size_t size_of_ballot(std::int64_t room) {
    return sizeof(Vote) + 2 * static_cast<std::size_t>(room) * sizeof(std::int64_t);
}

Voice smaller(const Voice& a, const Voice& b) {
    if (a.digest != b.digest) return a.digest < b.digest ? a : b;
    return a.rank < b.rank ? a : b;
}
Voice larger(const Voice& a, const Voice& b) {
    if (a.digest != b.digest) return a.digest > b.digest ? a : b;
    return a.rank < b.rank ? a : b;
}

void combine(const Vote& from, Vote& into) {
    for (std::size_t i = 0; i < most_claims; ++i) {
        into.least[i] = smaller(from.least[i], into.least[i]);
        into.largest[i] = larger(from.largest[i], into.largest[i]);
    }
    into.tally.add(from.tally);
    if (from.rank >= into.rank) return;
    into.rank = from.rank;
    into.error_class = from.error_class;
    std::memcpy(into.text, from.text, sizeof into.text);
}

void combine_ballots(const std::byte* from, std::byte* into) {
    const auto& vote = *reinterpret_cast<const Vote*>(from);
    combine(vote, *reinterpret_cast<Vote*>(into));
    const auto* const theirs = reinterpret_cast<const std::int64_t*>(from + sizeof(Vote));
    auto* const ours = reinterpret_cast<std::int64_t*>(into + sizeof(Vote));
    std::transform(theirs, theirs + 2 * vote.room, ours, ours,
                   [](auto a, auto b) { return std::min(a, b); });
}

void combine_all(void* from, void* into, int* count, MPI_Datatype*) {
    const auto* next_from = static_cast<const std::byte*>(from);
    auto* next_into = static_cast<std::byte*>(into);
    for (int i = 0; i < *count; ++i) {
        const auto size = size_of_ballot(reinterpret_cast<const Vote*>(next_from)->room);
        combine_ballots(next_from, next_into);
        next_from += size;
        next_into += size;
    }
}

/// Votes on the user's communicator, by the host MPI.
class HostVoteTransport final : public VoteTransport {
public:
    explicit HostVoteTransport(MPI_Comm comm) : comm_(comm) {}

    int rank() const override {
        int rank = 0;
        check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
        return rank;
    }

    void post(std::byte* ballot, MPI_Datatype type, MPI_Op op) override {
        check(MPI_Iallreduce(MPI_IN_PLACE, ballot, 1, type, op, comm_, request_.out()),
              "MPI_Iallreduce");
    }

    bool test() override { return mpi::test(request_.out()); }

private:
    MPI_Comm comm_;
    Request request_;
};

Vote vote_of(const VoteTransport& transport, const std::vector<Claim>& claims,
             const std::optional<Error>& mistake, const Tally& tally, int room) {
    if (claims.size() > most_claims) throw Error(MPI_ERR_INTERN, "too many claims for a vote");
    Vote vote{{}, {}, no_mistake, MPI_SUCCESS, "", tally, room};
    const int rank = transport.rank();
    std::transform(claims.begin(), claims.end(), vote.least.begin(),
                   [rank](const auto& claim) { return Voice{digest(claim), rank}; });
    vote.largest = vote.least;
    if (!mistake) return vote;
    vote.rank = rank;
    vote.error_class = mistake->error_class();
    std::strncpy(vote.text, mistake->what(), sizeof vote.text - 1);
    return vote;
}

}  // namespace

/// What MPI needs to combine ballots: the operator, and a datatype per room.
class Agreement::Ballots {
public:
    Ballots() { check(MPI_Op_create(combine_all, 1, op_.out()), "MPI_Op_create"); }

    MPI_Op op() const { return op_.get(); }

    MPI_Datatype type(std::int64_t room) {
        const std::lock_guard lock(mutex_);
        const auto [type, is_new] = types_.try_emplace(room);
        if (is_new) type->second = contiguous(size_of_ballot(room), MPI_BYTE);
        return type->second.get();
    }

private:
    Op op_;
    std::mutex mutex_;
    std::map<std::int64_t, Datatype> types_;
};

Agreement::Agreement(MPI_Comm comm, std::vector<Claim> claims, const std::optional<Error>& mistake,
                     const Tally& tally, int room, std::shared_ptr<VoteTransport> transport)
    : comm_(comm),
      claims_(std::move(claims)),
      ballots_(until_end<Ballots>()),
      ballot_(size_of_ballot(room)),
      transport_(transport ? std::move(transport) : std::make_shared<HostVoteTransport>(comm)) {
    new (ballot_.data()) Vote(vote_of(*transport_, claims_, mistake, tally, room));
    say_sure_values();
    transport_->post(ballot_.data(), ballots_->type(room), ballots_->op());
}

void Agreement::say_sure_values() {
    std::fill_n(pairs(), 2 * vote().room, none);
    for (const auto& claim : claims_)
        for (std::size_t i = 0; i < claim.guess.size(); ++i) {
            if (static_cast<std::int64_t>(i) >= vote().room)
                throw Error(MPI_ERR_INTERN, "no room in a vote for value " + std::to_string(i) +
                                                " of " + claim.name + ", expected less than " +
                                                std::to_string(vote().room));
            if (claim.guess[i]) continue;
            pairs()[2 * i] = claim.values[i];
            pairs()[2 * i + 1] = ~claim.values[i];
        }
}

std::optional<Mistake> Agreement::mistake() const {
    if (vote().rank == no_mistake) return std::nullopt;
    return Mistake{vote().rank, vote().error_class, vote().text};
}

void Agreement::conclude_mistake() {
    if (const auto found = mistake()) throw found->error();
}

bool Agreement::differs(std::size_t claim) const {
    return vote().least[claim].digest != vote().largest[claim].digest;
}

void Agreement::refuse_difference(std::size_t claim) const {
    const auto& [name, values, guess, wording, advice] = claims_[claim];
    const auto& low = vote().least[claim];
    const auto& high = vote().largest[claim];
    const auto [first, last] = std::minmax(low.rank, high.rank);
    const auto one = shown(low.digest), other = shown(high.digest);
    if (one && other && values.size() == 1)
        refuse(wording_of(claims_[claim], 0, *one), wording_of(claims_[claim], 0, *other),
               {low.rank, high.rank}, advice);
    throw Error(MPI_ERR_ARG, name + " on rank " + std::to_string(first) + " is not that on rank " +
                                 std::to_string(last) + ", expected the same on all ranks" +
                                 advice);
}

std::vector<Claim> Agreement::conclude() {
    conclude_mistake();
    for (std::size_t i = 0; i < claims_.size(); ++i)
        if (differs(i)) refuse_difference(i);
    replace_guesses(MPI_COMM_NULL);
    return std::move(claims_);
}

std::vector<Claim> Agreement::conclude_together() {
    conclude_mistake();
    for (std::size_t i = 0; i < claims_.size(); ++i)
        if (differs(i)) tell_difference(claims_[i], comm_);
    replace_guesses(comm_);
    return std::move(claims_);
}

/// @param comm  as in check_same()
void Agreement::replace_guesses(MPI_Comm comm) {
    for (auto& claim : claims_)
        for (std::size_t i = 0; i < claim.guess.size(); ++i) {
            const Range range{pairs()[2 * i], ~pairs()[2 * i + 1]};
            check_same(claim, i, range, comm);
            claim.values[i] = range.low == range.high ? range.low : 0;
        }
}

}  // namespace carpool::mpi
