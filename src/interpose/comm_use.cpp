// SPDX-License-Identifier: MIT
#include "interpose/comm_use.hpp"

#include "engine/call_scope.hpp"
#include "engine/spin_then_yield.hpp"
#include "engine/wait_until.hpp"
#include "interpose/reasons.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/topology.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/lives.hpp"
#include "mpi/tests.hpp"
#include "neighbor/topology/adopt.hpp"
#include "neighbor/topology/topology.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace carpool::interpose {
namespace {

using mpi::check;

/// Waits while everything else goes on, and says for whom if that lasts.
void wait_for(mpi::Request& request, MPI_Comm comm) {
    const auto state = mpi::CommState::unopened(comm);
    engine::wait_until([&] { return mpi::test(request.out()); },
                       [&] {
                           return engine::UnfinishedCall{
                               engine::CallScope::function(), comm, *state, {}, {}};
                       });
}

bool is_intercommunicator(MPI_Comm comm) {
    int inter = 0;
    check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    return inter != 0;
}

bool has_several_ranks(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size > 1;
}

bool has_short_period(MPI_Comm comm) {
    int d = 0;
    check(MPI_Cartdim_get(comm, &d), "MPI_Cartdim_get");
    if (d == 0) return false;
    const auto grid = mpi::grid_of(comm);
    for (int k = 0; k < d; ++k)
        if (grid.periodic(k) && grid.dim(k) <= 2) return true;
    return false;
}

bool lists_one_twice(const std::vector<topology::Edge>& edges) {
    std::vector<int> peers;
    for (const auto& edge : edges) peers.push_back(edge.peer);
    std::ranges::sort(peers);
    return std::ranges::adjacent_find(peers) != peers.end();
}

/// Gives the topology a mistake, for all ranks to refuse, if this rank has an edge more than once.
void refuse_repeated_edges(MPI_Comm comm) {
    const auto topology = neighbor::read_topology_of(comm);
    const auto& [out, in] = topology->edges();
    if (!lists_one_twice(out) && !lists_one_twice(in)) return;
    neighbor::StatedTopology stated;
    stated.mistake = mpi::Error(MPI_ERR_TOPOLOGY,
                                "a graph with an edge more than once, whose blocks this MPI puts "
                                "elsewhere than the standard says");
    neighbor::Topology::attach(comm, topology->edges(), std::move(stated));
}

}  // namespace

CommUse::CommUse(MPI_Comm comm) {
    const auto& settings = Settings::of_process();
    if (settings.only_repeated)
        for (std::size_t i = 0; i < calls_.size(); ++i) calls_[i] = CallHistory(settings.after[i]);
    if (is_intercommunicator(comm)) return;
    several_ranks_ = has_several_ranks(comm);
    const int kind = mpi::kind_of_topology(comm);
    has_topology_ = kind != MPI_UNDEFINED;
    is_short_torus_ = kind == MPI_CART && has_short_period(comm);
    looks_at_edges_ = has_topology_ && kind != MPI_CART;
}

void CommUse::look_at_edges(MPI_Comm comm) {
    if (!std::exchange(looks_at_edges_, false)) return;
    if (!HostOrder::of_process().right_with_repeated_edges()) refuse_repeated_edges(comm);
}

std::string_view CommUse::why_not(const CommUse* use, bool asked, MpiOperation operation,
                                  Form form) {
    if (!asked) return reasons::not_asked.text;
    if (use == nullptr) return reasons::no_communicator.text;
    if (use->may_take(operation, form)) {
        const auto& calls = use->calls_[index_of(operation)];
        const auto after = Settings::of_process().after[index_of(operation)];
        if (calls.made() < after) return reasons::among_first.text;
        if (calls.is_compared()) return reasons::slower.text;
        return form == Form::nonblocking && !calls.has_asked() ? reasons::unrepeated.text
                                                               : reasons::changing.text;
    }
    if (!use->several_ranks_) return reasons::few_ranks.text;
    if (use->left_to_host_[index_of(operation)]) return reasons::refused.text;
    return use->has_topology_ ? reasons::exchanges.text : reasons::no_topology.text;
}

bool CommUse::ask(MpiOperation operation, MPI_Comm comm) {
    auto& calls = calls_[index_of(operation)];
    auto all = std::make_unique<Ballot>(calls.ballot());
    mpi::Request request;
    check(MPI_Iallreduce(MPI_IN_PLACE, all.get(), Ballot::numbers, MPI_INT64_T, MPI_SUM, comm,
                         request.out()),
          "MPI_Iallreduce");
    try {
        wait_for(request, comm);
    } catch (...) {  // no collective can be given up, so MPI may still write the answer
        static_cast<void>(all.release());
        static_cast<void>(request.release());
        throw;
    }
    calls.settle(*all);
    return calls.is_taken();
}

CommUse* CommUse::of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return nullptr;
    if (auto* const known = mpi::Attribute<CommUse>::peek(comm)) return known;
    if (!mpi::lives(comm)) return nullptr;
    try {
        return mpi::Attribute<CommUse>::of(comm, comm).get();
    } catch (const std::exception&) {
        return nullptr;  // the host says what is wrong with the communicator
    }
}

}  // namespace carpool::interpose
