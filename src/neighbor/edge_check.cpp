#include "neighbor/edge_check.hpp"

#include "mpi/agreement.hpp"
#include "mpi/supersteps.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/lane.hpp"

#include <optional>

namespace carpool::neighbor {

void throw_difference(const EdgeEnds& ends, mpi::Lane& lane, MPI_Comm comm, int error_class) {
    const auto text = mpi::run(difference(ends), office_of(lane, comm));
    std::optional<mpi::Error> mistake;
    if (text) mistake = mpi::Error(error_class, *text);
    mpi::Agreement agreement(comm, {}, mistake);
    concluded(agreement);
    throw mpi::Error(error_class, "the ends of an edge differ");
}

}  // namespace carpool::neighbor
