#pragma once

#include "routing/program.hpp"

#include <vector>

namespace carpool::routing {

/// A rank that shares enough targets with another, and how many.
struct Friend {
    int rank;
    int common;
};

struct Match {
    int partner;              ///< -1 for none
    bool anyone;              ///< has found a partner
    bool friendless = false;  ///< somebody has no friends
    bool repeated = false;    ///< some had to try again
};

/// Pairs ranks with their friends, each with at most one, so that many targets are shared: the
/// distributed matching of [3] algorithm 2, after Hoepman, with its rules for trying again.
///
/// A choice is told to the chosen rank alone, and who is paired or has given up stands on a board
/// of 2 P bits, where the paper notifies every friend of both; what each rank knows is the same. If
/// nobody has to try again, as on Moore neighborhoods, three bits tell that, whatever P is. Of
/// friends that share as much the one with the least `rank ^ friend` is tried first: both ends
/// agree on it, so a complete graph is matched at once. Who was tried in vain may still ask, and is
/// accepted: where the paper removes it from F, it would ask forever.
///
/// The two who share most find each other at once, so friends always make a pair; but two friends
/// may both be left alone, and meet in the next iteration of algorithm 1.
///
/// @param friends  symmetric: a friend's friend with the same number
/// @param by_rank  the 2 P bits are taken for needed; alike on all ranks
Program<Match> match(int rank, int ranks, std::vector<Friend> friends, bool by_rank = false);

}  // namespace carpool::routing
