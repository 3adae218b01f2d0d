#include "mpi/agreement.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace carpool::mpi {
namespace {

/// 64 bits of all values and where one claim ends and the next begins.
std::int64_t digest(const std::vector<Claim>& claims) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    const auto mix = [&hash](std::uint64_t value) {
        hash = (std::rotl(hash, 27) ^ value) * 0xd6e8feb86659fd93;
        hash ^= hash >> 32;
    };
    for (const auto& claim : claims) {
        mix(claim.values.size());
        for (const auto value : claim.values) mix(static_cast<std::uint64_t>(value));
    }
    return std::bit_cast<std::int64_t>(hash);
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

}  // namespace

Agreement::Agreement(MPI_Comm comm, std::vector<Claim> claims, std::optional<Error> mistake)
    : comm_(comm), claims_(std::move(claims)), mistake_(std::move(mistake)) {
    const auto hash = digest(claims_);
    least_ = {hash, ~hash, mistake_ ? -1 : 0};
    check(MPI_Iallreduce(MPI_IN_PLACE, least_.data(), static_cast<int>(least_.size()), MPI_INT64_T,
                         MPI_MIN, comm_, request_.out()),
          "MPI_Iallreduce");
}

bool Agreement::test() {
    int flag = 0;
    check(MPI_Test(request_.out(), &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

std::vector<Claim> Agreement::conclude() {
    check(MPI_Wait(request_.out(), MPI_STATUS_IGNORE), "MPI_Wait");
    if (least_[2] != 0) throw_first_mistake();
    if (least_[0] != ~least_[1])
        for (auto& claim : claims_) reconcile(claim);
    return std::move(claims_);
}

/// All ranks throw what the lowest rank with a mistake has found.
void Agreement::throw_first_mistake() const {
    int rank = 0;
    int size = 0;
    check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
    int first = mistake_ ? rank : size;
    check(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm_), "MPI_Allreduce");

    struct {
        int error_class;
        char text[256];
    } found{};
    if (rank == first) {
        found.error_class = mistake_->error_class();
        std::strncpy(found.text, mistake_->what(), sizeof found.text - 1);
    }
    check(MPI_Bcast(&found, sizeof found, MPI_BYTE, first, comm_), "MPI_Bcast");
    throw Error(found.error_class, "rank " + std::to_string(first) + ": " + found.text);
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
