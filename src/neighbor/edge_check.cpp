#include "neighbor/edge_check.hpp"

#include "engine/activity.hpp"
#include "mpi/agreement.hpp"
#include "mpi/supersteps.hpp"
#include "neighbor/concluded.hpp"

#include <optional>

namespace carpool::neighbor {

void throw_difference(const EdgeEnds& ends, const std::shared_ptr<mpi::Channel>& channel,
                      MPI_Comm comm, int error_class) {
    const mpi::Channel::Share tags(channel);
    const auto same = [](int rank) { return rank; };
    const auto text = mpi::run(difference(ends), {comm,
                                                  channel->comm(),
                                                  {tags.first(), tags.first() + 1},
                                                  same,
                                                  same,
                                                  engine::Activity::progress});
    std::optional<mpi::Error> mistake;
    if (text) mistake = mpi::Error(error_class, *text);
    mpi::Agreement agreement(comm, {}, mistake);
    concluded(agreement);
    throw mpi::Error(error_class, "the ends of an edge differ");
}

}  // namespace carpool::neighbor
