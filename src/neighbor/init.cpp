#include "neighbor/init.hpp"

#include "call/recent.hpp"
#include "call/shared_memory.hpp"
#include "mpi/attribute.hpp"
#include "neighbor/adopt.hpp"
#include "neighbor/candidate.hpp"

#include <utility>

namespace carpool::neighbor {
namespace {

/// Reads the arguments. A mistake in them is kept, to be agreed upon; one that all ranks see alike,
/// about the communicator, is thrown.
Collective::Given read(MPI_Comm comm, const Arguments& arguments, MPI_Info info, bool reuse) {
    auto topology = adopted(comm);
    Collective::Given given{topology, topology->definition().settings, arguments.operation};
    given.mistake = mpi::mistake_in([&] {
        check_pointers(*topology, arguments);
        given.settings = chosen_for(*topology, given.settings.with(info));
        if (reuse) {
            given.signature = signature_of(*topology, arguments);
            given.earlier = mpi::Attribute<call::Recent>::of(comm)->calls.find(given.signature);
        }
        if (given.earlier) {
            given.call = std::static_pointer_cast<Call>(given.earlier->call);
        } else {
            candidates_planned(*topology, given.settings, given.operation);  // or refused
            given.call = read_call(*topology, arguments);
            check_disjoint(
                *given.call, arguments,
                reuse ? topology->outdegree() + topology->indegree() : call::many_pieces);
        }
    });
    return given;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, Collective::Given given) {
    given.settings.assert_matching = false;  // an init is collective anyway
    auto state = given.topology->state();
    return call::persistent(comm, std::move(state), std::make_unique<Collective>(std::move(given)),
                            call::Return::planned);
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, Collective::Given given) {
    auto state = given.topology->state();
    auto earlier = given.earlier;
    auto collective = std::make_unique<Collective>(std::move(given));
    collective->plan_first(comm);
    return call::once(comm, std::move(state), std::move(collective), std::move(earlier));
}

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info) {
    return initialised(comm, read(comm, arguments, info, false));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments) {
    return once(comm, read(comm, arguments, MPI_INFO_NULL, true));
}

}  // namespace carpool::neighbor
