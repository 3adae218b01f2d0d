#include "neighbor/edge_check.hpp"

#include "engine/opened_state.hpp"
#include "engine/supersteps.hpp"
#include "mpi/agreement.hpp"
#include "neighbor/concluded.hpp"

#include <optional>

namespace carpool::neighbor {

void throw_difference(const EdgeEnds& ends, mpi::CommState& state, MPI_Comm comm, int error_class) {
    const auto text = engine::run(difference(ends), engine::SuperstepComm(state, comm));
    std::optional<mpi::Error> mistake;
    if (text) mistake = mpi::Error(error_class, *text);
    mpi::Agreement agreement(comm, {}, mistake);
    concluded(agreement);
    throw mpi::Error(error_class, "the ends of an edge differ");
}

}  // namespace carpool::neighbor
