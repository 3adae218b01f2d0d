#include "api/neighborhood.hpp"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "neighbor/adopt.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/request.hpp"

namespace carpool::api {
namespace {

enum class Reuse { nothing, cache };

/// Reads the arguments. A mistake about the communicator, which all ranks see alike, is thrown. Any
/// other is kept, for the ranks to agree upon.
neighbor::Intent intent_of(const NeighborhoodCall& c, MPI_Info info, Reuse reuse) {
    check_comm(c.comm, "comm");
    auto topology = neighbor::adopted(c.comm);
    neighbor::Intent intent{topology, topology->definition().settings, c.arguments.operation};
    try {
        neighbor::check_pointers(*topology, c.arguments);
        intent.settings = intent.settings.with(info);
        neighbor::candidates_planned(*topology, intent.settings, intent.operation);
        if (reuse == Reuse::cache) {
            intent.signature = neighbor::signature_of(*topology, c.arguments);
            intent.planned = topology->cache().find(intent.signature);
        }
        if (!intent.planned) intent.call = neighbor::read_call(*topology, c.arguments);
    } catch (const mpi::Error& error) {
        intent.mistake = error;
    }
    return intent;
}

}  // namespace

int blocking(const NeighborhoodCall& c) {
    return guarded(
        c.comm, [&] { neighbor::once(c.comm, intent_of(c, MPI_INFO_NULL, Reuse::cache))->wait(); });
}

int nonblocking(const NeighborhoodCall& c, Carpool_Request* request) {
    return guarded(c.comm, [&] {
        auto intent = intent_of(c, MPI_INFO_NULL, Reuse::cache);
        *request = wrapped(neighbor::once(c.comm, std::move(intent)));
    });
}

int persistent(const NeighborhoodCall& c, MPI_Info info, Carpool_Request* request) {
    return guarded(c.comm, [&] {
        auto intent = intent_of(c, info, Reuse::nothing);
        *request = wrapped(neighbor::persistent(c.comm, std::move(intent)));
    });
}

}  // namespace carpool::api
