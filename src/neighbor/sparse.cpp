#include "neighbor/sparse.hpp"

#include "engine/opened_state.hpp"
#include "mpi/error.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/prepared.hpp"
#include "neighbor/request.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

/// Reads a call, step by step: of what is found before a mistake the rest is still agreed upon.
class Reading {
public:
    Reading(const SparseCall& call, MPI_Info info, std::shared_ptr<mpi::CommState> state)
        : state_(std::move(state)) {
        intent_.operation = call.arguments.operation;
        intent_.mistake = mpi::mistake_in([&] { read(call, info); });
        if (intent_.mistake) place({}, std::nullopt);
    }

    Intent take() { return std::move(intent_); }

private:
    void read(const SparseCall& call, MPI_Info info) {
        if (call.mistake) throw mpi::Error(*call.mistake);
        topology::Adjacency edges{call::edges_of(call.destinations, state_->size()),
                                  call::edges_of(call.sources, state_->size())};
        intent_.settings = Settings::from_environment().with(info);
        place(edges, std::nullopt);
        check_pointers(*intent_.topology, call.arguments);
        intent_.call = read_call(*intent_.topology, call.arguments);
        place(std::move(edges),
              routing::EdgeBytes{bytes_sent(*intent_.call), bytes_received(*intent_.call)});
    }

    void place(topology::Adjacency edges, std::optional<routing::EdgeBytes> bytes) {
        auto definition = std::make_shared<Definition>(std::nullopt, intent_.settings);
        intent_.topology =
            Topology::of_call(std::move(definition), std::move(edges), std::move(bytes), state_);
    }

    std::shared_ptr<mpi::CommState> state_;
    Intent intent_;
};

/// Its load tells whether another rule is worth its planning.
void plan_direct(const Intent& intent, MPI_Comm comm) {
    auto& topology = *intent.topology;
    topology.routes().plan({&routing::direct, Flow::alltoall}, topology, comm);
}

/// A rule of grids alone has nothing to plan here.
void check_rule(Intent& intent) {
    if (intent.mistake) return;
    intent.mistake = mpi::mistake_in(
        [&] { candidates_planned(*intent.topology, intent.settings, intent.operation); });
}

}  // namespace

std::unique_ptr<engine::Request> sparse_persistent(const SparseCall& call, MPI_Info info) {
    auto intent = Reading(call, info, engine::opened_state(call.comm)).take();
    plan_direct(intent, call.comm);
    check_rule(intent);
    return persistent(call.comm, std::move(intent));
}

std::unique_ptr<engine::Request> sparse_once(const SparseCall& call) {
    auto intent = Reading(call, MPI_INFO_NULL, engine::opened_state(call.comm)).take();
    intent.settings.rule = &routing::direct;
    intent.topology->routes().plan_direct(*intent.topology);
    return once(call.comm, std::move(intent));
}

}  // namespace carpool::neighbor
