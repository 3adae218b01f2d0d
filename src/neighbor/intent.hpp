#pragma once

#include "mpi/agreement.hpp"
#include "mpi/error.hpp"
#include "mpi/tally.hpp"
#include "neighbor/call.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/prepared.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// What a collective call was given, and what is wrong with it.
struct Intent {
    std::shared_ptr<Topology> topology;
    Settings settings;
    schedule::Operation operation = schedule::Operation::alltoall;
    std::optional<mpi::Error> mistake = {};
    std::optional<Call> call = {};           ///< unless planned before, or mistaken
    std::shared_ptr<Prepared> planned = {};  ///< before, for the same arguments
    call::Signature signature = {};          ///< for the cache; may be empty
};

/// The call, read now or planned before. @pre no mistake
const Call& call_of(const Intent& intent);

/// Are sizes those of edges, which only their two ends know? @pre no mistake
bool sizes_by_edge(const Intent& intent);

/// What this rank says of its edges. @pre sizes_by_edge
EdgeEnds ends_of(const Intent& intent);

/// The sizes of its blocks, sent and received. @pre sizes_by_edge
mpi::Extremes sizes_of(const Intent& intent);

/// What all ranks must say alike before the first message, last the sizes of blocks; nothing if
/// there is a mistake.
std::vector<mpi::Claim> claims_of(const Intent& intent);

/// What this rank adds to the tally; of sizes nothing where they are not by edge, or if there is a
/// mistake.
mpi::Tally tally_of(const Intent& intent);

}  // namespace carpool::neighbor
