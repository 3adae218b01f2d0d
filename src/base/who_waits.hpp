// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::base {

/// A message that has arrived and that no call expects.
struct UnexpectedCall {
    int source;
    std::int64_t call;      ///< its number, counted from 1
    std::string operation;  ///< the operation that rank has called
};

/// A call or start that has not ended on one rank.
struct UnderWay {
    std::string function;              ///< the function that the user has called
    std::string comm;                  ///< the communicator's name, or empty
    int rank;                          ///< this rank
    std::optional<std::int64_t> call;  ///< its number among blocking and nonblocking calls on comm
    std::vector<int> awaited;          ///< the ranks whose messages are missing, ascending
    std::vector<UnexpectedCall> unexpected;
    /// An unchanged program's first call on a communicator: no rank has answered yet, perhaps
    /// because some run without Carpool.
    bool is_first = false;
};

/// Returns a sentence, without its full stop, that names this rank, the awaited ranks and the call:
/// "rank 3 waits for ranks 1 and 2 in Carpool_Bcast, call 7 on communicator halo; rank 1 is in call
/// 7, allreduce with MPI_SUM".
std::string who_waits(const UnderWay& what);

}  // namespace carpool::base
