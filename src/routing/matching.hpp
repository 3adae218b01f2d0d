// SPDX-License-Identifier: MIT
#pragma once

#include "routing/program.hpp"

#include <vector>

namespace carpool::routing {

/// A rank that shares enough targets with this one, and the number of these.
struct Friend {
    int rank;
    int common;
};

struct Match {
    int partner;              ///< -1 for none
    bool anyone;              ///< some rank has found a partner
    bool friendless = false;  ///< some rank has no friends
    bool repeated = false;    ///< some ranks had to try again
};

/// Pairs each rank with at most one of its friends, so that many targets are shared: the
/// distributed matching of [3] algorithm 2, after Hoepman, with its rules for trying again.
///
/// A rank sends its choice to the chosen rank only. A board of 2 P bits shows which ranks are
/// paired or have given up, where the paper notifies every friend of both; the ranks know the same
/// either way. If no rank has to try again, as on Moore neighborhoods, three bits suffice for any
/// P. Among friends that share the same number of targets, the one with the least `rank ^ friend`
/// is tried first: both ends agree on this order, so a complete graph is matched at once. A friend
/// that was tried in vain may still choose this rank, and is then accepted; the paper removes it
/// from F, and so it would ask forever.
///
/// The two ranks that share most find each other at once, so at least one pair is made if there are
/// friends. Two friends may both remain unpaired; they can meet in the next iteration of algorithm
/// 1.
///
/// @param friends  symmetric: each friend lists this rank with the same number of common targets
/// @param by_rank  whether to use the 2 P bits from the start; the same on all ranks
Program<Match> match(int rank, int ranks, std::vector<Friend> friends, bool by_rank = false);

}  // namespace carpool::routing
