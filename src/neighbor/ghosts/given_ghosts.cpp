// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/given_ghosts.hpp"

#include "arguments/array.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace carpool::neighbor {
namespace {

using arguments::check_array;
using mpi::Error;

void check_owner(std::int64_t ghost, int owner, int ranks) {
    if (owner < 0 || owner >= ranks)
        throw Error(MPI_ERR_RANK, mpi::element("owners", ghost) + " is " + std::to_string(owner) +
                                      ", expected a rank, at least 0 and less than " +
                                      std::to_string(ranks));
}

void check_index(std::int64_t ghost, std::int64_t index) {
    if (index < 0)
        throw Error(MPI_ERR_ARG, mpi::element("indices", ghost) + " is " + std::to_string(index) +
                                     ", expected at least 0");
}

Error range_error(std::size_t i, std::int64_t bound, const std::string& expected) {
    return {MPI_ERR_ARG, mpi::element("ranges", static_cast<std::int64_t>(i)) + " is " +
                             std::to_string(bound) + ", expected " + expected};
}

/// They ascend, and the number of all entries fits into an MPI_Count.
void check_ranges(const std::vector<std::int64_t>& ranges) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i] < ranges[i - 1])
            throw range_error(i, ranges[i],
                              "at least " + std::to_string(ranges[i - 1]) + ", the one before it");
    if (ranges.front() < 0 && ranges.back() > most + ranges.front())
        throw range_error(ranges.size() - 1, ranges.back(),
                          "at most " + std::to_string(most + ranges.front()) +
                              ", as the number of all entries is an MPI_Count");
}

/// The rank whose range has a number; ranks without entries have none.
int owner_of(std::int64_t ghost, std::int64_t number, const std::vector<std::int64_t>& ranges) {
    if (number < ranges.front() || number >= ranges.back())
        throw Error(MPI_ERR_ARG, mpi::element("numbers", ghost) + " is " + std::to_string(number) +
                                     ", expected at least " + std::to_string(ranges.front()) +
                                     " and less than " + std::to_string(ranges.back()) +
                                     ", as ranges says");
    return static_cast<int>(std::ranges::upper_bound(ranges, number) - ranges.begin()) - 1;
}

}  // namespace

GivenGhosts read_ghosts(const GhostsByOwner& arguments, int ranks) {
    const auto& [owned, ghosts, owners, indices] = arguments;
    mpi::check_at_least("owned", owned, 0, MPI_ERR_COUNT);
    mpi::check_at_least("ghosts", ghosts, 0, MPI_ERR_COUNT);
    check_array("owners", owners, ghosts);
    check_array("indices", indices, ghosts);
    for (MPI_Count i = 0; i < ghosts; ++i) {
        check_owner(i, owners[i], ranks);
        check_index(i, indices[i]);
    }
    return {owned, {owners, owners + ghosts}, {indices, indices + ghosts}};
}

GivenGhosts read_ghosts(const GhostsByNumber& arguments, int rank, int ranks) {
    const auto& [given_ranges, ghosts, numbers] = arguments;
    check_array("ranges", given_ranges, ranks + 1);
    mpi::check_at_least("ghosts", ghosts, 0, MPI_ERR_COUNT);
    check_array("numbers", numbers, ghosts);
    GivenGhosts given;
    given.ranges.assign(given_ranges, given_ranges + ranks + 1);
    check_ranges(given.ranges);
    const auto* const own = given_ranges + rank;
    given.owned = own[1] - own[0];
    for (MPI_Count i = 0; i < ghosts; ++i) {
        const int owner = owner_of(i, numbers[i], given.ranges);
        given.owners.push_back(owner);
        given.indices.push_back(numbers[i] - given.ranges[static_cast<std::size_t>(owner)]);
    }
    return given;
}

}  // namespace carpool::neighbor
