#include "neighbor/adopt.hpp"

#include "engine/opened_state.hpp"
#include "engine/supersteps.hpp"
#include "mpi/agreement.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "mpi/oversubscription.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/edge_check.hpp"
#include "neighbor/mpi_topology.hpp"
#include "routing/connected.hpp"
#include "topology/grid_search.hpp"
#include "topology/isomorphism.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using mpi::check;
using mpi::Error;

/// What a rank knows of a communicator by itself.
struct Findings {
    int rank = 0;
    int size = 0;
    MpiTopology topology;
    Settings settings;
    std::optional<Error> mistake;
};

Findings find(MPI_Comm comm) {
    Findings found;
    check(MPI_Comm_rank(comm, &found.rank), "MPI_Comm_rank");
    check(MPI_Comm_size(comm, &found.size), "MPI_Comm_size");
    try {
        found.topology = read_topology(comm);
        found.settings = Settings::from_environment();
    } catch (const Error& error) {
        found.mistake = error;
    }
    return found;
}

EdgeEnds ends_of(const Findings& found) {
    const auto& [out, in] = found.topology.edges;
    return {found.rank, &found.topology.edges, std::vector<std::int64_t>(out.size()),
            std::vector<std::int64_t>(in.size())};
}

/// Agrees on the settings, and that both ends know every edge. What all together say.
mpi::Tally agree(const Findings& found, MPI_Comm comm) {
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    tally.balance = balance(ends_of(found));
    std::vector<mpi::Claim> claims;
    if (!found.mistake) claims.push_back(found.settings.claim());
    mpi::Agreement agreement(comm, std::move(claims), found.mistake, tally);
    concluded(agreement);
    if (agreement.tally().balance == 0) return agreement.tally();
    throw_difference(ends_of(found), *engine::opened_state(comm), comm, MPI_ERR_TOPOLOGY);
}

/// The rank with most targets, of equal ones the lowest, and these: on a mesh it is one that has
/// all neighbors, if any has.
std::pair<int, std::vector<topology::Edge>> model_neighbors(const Findings& found, MPI_Comm comm) {
    const auto& out = found.topology.edges.out;
    struct {
        int targets;
        int rank;
    } most{static_cast<int>(out.size()), found.rank};
    check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_2INT, MPI_MAXLOC, comm), "MPI_Allreduce");
    std::vector<int> targets;
    for (const auto& edge : out) targets.push_back(edge.peer);
    targets.resize(static_cast<std::size_t>(most.targets));
    check(MPI_Bcast(targets.data(), most.targets, MPI_INT, most.rank, comm), "MPI_Bcast");
    return {most.rank, topology::labelled(targets)};
}

/// The grid on which all ranks have one neighborhood, if they have.
std::optional<topology::Isomorphism> isomorphism_of(const Findings& found, MPI_Comm comm) {
    if (found.topology.isomorphism) return found.topology.isomorphism;
    const auto [model, targets] = model_neighbors(found, comm);
    if (targets.empty() || found.size == 1) return std::nullopt;
    const topology::GridSearch search(found.size, model, targets);
    auto misfits = search.misfits(found.rank, found.topology.edges);
    check(MPI_Allreduce(MPI_IN_PLACE, misfits.data(), static_cast<int>(misfits.size()),
                        MPI_UINT64_T, MPI_BOR, comm),
          "MPI_Allreduce");
    return search.best(misfits, found.rank, found.topology.edges);
}

}  // namespace

std::shared_ptr<Topology> adopted(MPI_Comm comm) {
    if (auto topology = mpi::Attribute<Topology>::find(comm)) {
        topology->open_state(comm);
        return topology;
    }
    auto found = find(comm);
    const auto tally = agree(found, comm);
    auto isomorphism = isomorphism_of(found, comm);
    auto definition =
        std::make_shared<Definition>(std::move(isomorphism), std::move(found.settings));
    auto edges = std::make_shared<const topology::Adjacency>(std::move(found.topology.edges));
    auto state = engine::opened_state(comm);
    definition->ranks_per_core = mpi::ranks_per_core(tally.oversubscription.most);
    definition->one_size = engine::run(routing::connected(found.rank, found.size, edges.get()),
                                       engine::SuperstepComm(*state, comm));
    auto topology =
        Topology::attach(comm, std::move(definition), std::move(state), std::move(edges));
    // direct's load tells whether another rule is worth its planning
    for (const auto flow : {Flow::alltoall, Flow::allgather, Flow::backwards})
        topology->routes().plan({&routing::direct, flow}, topology->graph(), comm);
    return topology;
}

}  // namespace carpool::neighbor
