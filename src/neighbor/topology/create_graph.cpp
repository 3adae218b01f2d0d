// SPDX-License-Identifier: MIT
#include "neighbor/topology/create_graph.hpp"

#include "arguments/peer_list.hpp"
#include "engine/opened_state.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/mpi_topology.hpp"
#include "neighbor/topology/numbering.hpp"
#include "neighbor/topology/settings.hpp"
#include "neighbor/topology/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using mpi::check;
using mpi::Error;

/// One side of the edges that a position has.
struct EdgeList {
    std::vector<int> peers;
    std::vector<int> weights;  ///< empty in an unweighted graph

    /// The weights as MPI expects them; MPI distinguishes an empty list from no weights.
    const int* weights_for_mpi(bool weighted) const {
        if (!weighted) return MPI_UNWEIGHTED;
        return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
    }
};

/// Everything that a rank gives, as its own process reads it.
struct GraphInput {
    EdgeList in;
    EdgeList out;
    bool weighted;
    NeighborSettings settings;
};

bool is_weighted(const GraphSide& side) { return side.weights != MPI_UNWEIGHTED; }

std::vector<int> weights_of(const GraphSide& side) {
    if (side.degree == 0 || !is_weighted(side)) return {};
    if (side.weights == nullptr)
        throw Error(MPI_ERR_ARG, std::string(side.weights_name) +
                                     " is a null pointer, expected an array of " +
                                     std::to_string(side.degree) + " or MPI_UNWEIGHTED");
    std::vector<int> weights(side.weights, side.weights + side.degree);
    for (std::size_t i = 0; i < weights.size(); ++i)
        mpi::check_at_least(mpi::element(side.weights_name, static_cast<std::int64_t>(i)),
                            weights[i], 0, MPI_ERR_ARG);
    return weights;
}

EdgeList edge_list(const GraphSide& side, int ranks) {
    arguments::edges_of({side.degree_name, side.name, side.degree, side.ranks}, ranks);
    return {{side.ranks, side.ranks + side.degree}, weights_of(side)};
}

/// A side without edges does not count: it shows nothing about weights.
bool is_weighted(const GraphArguments& a) {
    return (a.in.degree > 0 && is_weighted(a.in)) || (a.out.degree > 0 && is_weighted(a.out));
}

void check_weights(const GraphArguments& a) {
    if (a.in.degree > 0 && a.out.degree > 0 && is_weighted(a.in) != is_weighted(a.out))
        throw Error(
            MPI_ERR_ARG,
            "one of sourceweights and destweights is MPI_UNWEIGHTED, expected both or none");
}

GraphInput read(const GraphArguments& a, int ranks) {
    GraphInput given{edge_list(a.in, ranks), edge_list(a.out, ranks), is_weighted(a),
                     NeighborSettings::from_environment().with(a.info)};
    check_weights(a);
    return given;
}

mpi::Wording worded(std::size_t, std::int64_t weighted) {
    return {"sourceweights and destweights", weighted != 0 ? "arrays" : "MPI_UNWEIGHTED"};
}

/// A rank without edges adopts what the other ranks claim about having weights.
std::vector<mpi::Claim> claims_of(const GraphArguments& a, const GraphInput& given) {
    mpi::Claim weighted{"weights", {given.weighted}, {a.in.degree + a.out.degree == 0}, worded};
    return {{"reorder", {a.reorder != 0}}, std::move(weighted), given.settings.claim()};
}

/// Reads the arguments, and agrees with all ranks on them.
GraphInput agree(MPI_Comm comm, const GraphArguments& a) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    std::optional<GraphInput> given;
    const auto mistake = mpi::mistake_in([&] { given = read(a, size); });
    auto claims = mistake ? std::vector<mpi::Claim>{} : claims_of(a, *given);
    constexpr int guesses = 1;
    mpi::Agreement agreement(comm, std::move(claims), mistake, {}, guesses);
    while (!agreement.test()) engine::Activity::progress();
    claims = agreement.conclude_together();
    given->weighted = claims[1].values.front() != 0;
    return std::move(*given);
}

/// What a rank sends to rank 0 about its edges: its rank, the number of its targets, and the rank
/// and weight of each target.
std::vector<int> told(const GraphInput& given, int rank) {
    std::vector<int> numbers{rank, static_cast<int>(given.out.peers.size())};
    for (std::size_t i = 0; i < given.out.peers.size(); ++i) {
        numbers.push_back(given.out.peers[i]);
        numbers.push_back(given.out.weights.empty() ? 1 : given.out.weights[i]);
    }
    return numbers;
}

std::vector<topology::WeightedEdge> edges_of(const std::vector<int>& numbers) {
    std::vector<topology::WeightedEdge> edges;
    for (auto number = numbers.begin(); number != numbers.end();) {
        const int from = *number++;
        for (int left = *number++; left > 0; --left, number += 2)
            if (number[0] != MPI_PROC_NULL) edges.push_back({from, number[0], number[1]});
    }
    return edges;
}

/// The edges of all ranks, gathered on rank 0; they are not gathered if rank 0 has too little
/// memory for them.
class GatheredEdges {
public:
    /// @note Collective
    GatheredEdges(const mpi::CommState& state, const GraphInput& given)
        : state_(state), root_(state.channel_rank(0)) {
        const auto own = told(given, state.rank());
        gather_counts(static_cast<int>(own.size()));
        check(MPI_Bcast(&fits_, 1, MPI_INT, root_, state_.channel_comm()), "MPI_Bcast");
        if (fits_ == 0) return;
        check(MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_INT, all_.data(),
                          counts_.data(), displacements_.data(), MPI_INT, root_,
                          state_.channel_comm()),
              "MPI_Gatherv");
    }

    bool fit() const { return fits_ != 0; }

    /// @pre on rank 0
    topology::WeightedGraph graph() const { return {state_.size(), edges_of(all_)}; }

private:
    void gather_counts(int own) {
        counts_.resize(state_.rank() == 0 ? static_cast<std::size_t>(state_.size()) : 0);
        check(
            MPI_Gather(&own, 1, MPI_INT, counts_.data(), 1, MPI_INT, root_, state_.channel_comm()),
            "MPI_Gather");
        if (state_.rank() == 0) fits_ = makes_room() ? 1 : 0;
    }

    bool makes_room() {
        const auto sum = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
        if (sum > std::numeric_limits<int>::max()) return false;
        try {
            all_.resize(static_cast<std::size_t>(sum));
            displacements_.resize(counts_.size());
        } catch (const std::bad_alloc&) {
            return false;
        }
        std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
        return true;
    }

    const mpi::CommState& state_;
    int root_;
    int fits_ = 0;
    std::vector<int> counts_;  // in the order of the channel's ranks, like the next two
    std::vector<int> displacements_;
    std::vector<int> all_;
};

Numbering numbering_of(MPI_Comm comm, const GraphInput& given, bool reorder) {
    auto state = engine::opened_state(comm);
    if (!reorder || !state->nodes()) return {comm, std::move(state)};
    const auto gathered = GatheredEdges(*state, given);
    if (!gathered.fit()) return {comm, std::move(state)};
    return {comm, state, [&] { return topology::mapping_of(gathered.graph(), *state->nodes()); }};
}

/// Sends lists from the process that gave them to the process that takes their position.
class Handover {
public:
    explicit Handover(const Numbering& numbering)
        : comm_(numbering.comm()),
          to_(numbering.state()->rank()),
          from_(numbering.position(numbering.position(to_))) {}

    std::vector<int> passed(const std::vector<int>& given) const {
        const auto count = static_cast<int>(given.size());
        int coming = 0;
        exchange(&count, 1, &coming, 1);
        std::vector<int> taken(static_cast<std::size_t>(coming));
        exchange(given.data(), count, taken.data(), coming);
        return taken;
    }

    EdgeList passed(const EdgeList& given) const {
        return {passed(given.peers), passed(given.weights)};
    }

private:
    void exchange(const int* send, int sent, int* receive, int received) const {
        check(MPI_Sendrecv(send, sent, MPI_INT, to_, 0, receive, received, MPI_INT, from_, 0, comm_,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    }

    MPI_Comm comm_;
    int to_;
    int from_;
};

mpi::Comm made_of(const Numbering& numbering, const GraphInput& given, MPI_Info info) {
    const auto& [in, out, weighted, settings] = given;
    mpi::Comm graph;
    check(MPI_Dist_graph_create_adjacent(numbering.comm(), static_cast<int>(in.peers.size()),
                                         in.peers.data(), in.weights_for_mpi(weighted),
                                         static_cast<int>(out.peers.size()), out.peers.data(),
                                         out.weights_for_mpi(weighted), info, 0, graph.out()),
          "MPI_Dist_graph_create_adjacent");
    return graph;
}

}  // namespace

MPI_Comm create_graph(MPI_Comm comm, const GraphArguments& a) {
    auto given = agree(comm, a);
    const auto numbering = numbering_of(comm, given, a.reorder != 0);
    if (numbering.is_mapped()) {
        const Handover handover(numbering);
        given.in = handover.passed(given.in);
        given.out = handover.passed(given.out);
    }
    auto graph = made_of(numbering, given, a.info);
    numbering.give_handler(graph.get());
    StatedTopology stated;
    stated.settings = given.settings;
    Topology::attach(graph.get(), read_topology(graph.get()).edges, std::move(stated),
                     mpi::CommState::lent(numbering.state()->channel(), graph.get()));
    return graph.release();
}

}  // namespace carpool::neighbor
