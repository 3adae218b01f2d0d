#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::base {

/// A message that has come though nobody expects it.
struct UnexpectedCall {
    int source;
    std::int64_t call;      ///< its number, from 1 on
    std::string operation;  ///< what is called there
};

/// A call or start that has not ended on one rank.
struct UnderWay {
    std::string function;              ///< the user's
    std::string comm;                  ///< the communicator's name, or empty
    int rank;                          ///< this one
    std::optional<std::int64_t> call;  ///< the number among blocking and nonblocking calls on comm
    std::vector<int> awaited;          ///< whose messages are missing, ascending
    std::vector<UnexpectedCall> unexpected;
};

/// Who waits for whom, as a sentence without its full stop: "rank 3 waits for ranks 1 and 2 in
/// Carpool_Bcast, call 7 on communicator halo; rank 1 is in call 7, allreduce with MPI_SUM".
std::string who_waits(const UnderWay& what);

}  // namespace carpool::base
