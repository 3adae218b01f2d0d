#include "neighbor/collective.hpp"

#include "mpi/operator.hpp"
#include "mpi/oversubscription.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/edge_check.hpp"
#include "schedule/place_sums.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace carpool::neighbor {
namespace {

using schedule::Operation;

void add_sizes(mpi::Extremes& sizes, std::span<const topology::Edge> edges,
               std::span<const std::int64_t> bytes) {
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank) sizes.add(bytes[i]);
}

mpi::Extremes sizes_at(const EdgeEnds& ends) {
    mpi::Extremes sizes;
    add_sizes(sizes, ends.edges->out, ends.sent);
    add_sizes(sizes, ends.edges->in, ends.received);
    return sizes;
}

mpi::Wording operation_wording(std::size_t, std::int64_t value) {
    return {"collective operation", std::string(name_of(static_cast<Operation>(value)))};
}

/// What an operator that does not commute gets: all blocks as they are, from their sources.
Operation gathering(Operation reduction) {
    return schedule::sends_one_block(reduction) ? Operation::allgather : Operation::alltoall;
}

}  // namespace

std::vector<std::int64_t> Agreed::numbers() const {
    std::vector<std::int64_t> result{sized ? 1 : 0, entry};
    result.insert(result.end(), block_bytes.begin(), block_bytes.end());
    return result;
}

// ---- read ----

/// Are sizes those of edges, which only their two ends know? @pre no mistake
bool Collective::sizes_by_edge() const {
    return !given_.topology->definition().declared && !schedule::reduces(given_.call->operation);
}

/// What this rank says of its edges. @pre sizes_by_edge
EdgeEnds Collective::ends() const {
    const auto& topology = *given_.topology;
    auto sent = bytes_sent(*given_.call);
    if (schedule::sends_one_block(given_.call->operation))
        sent.assign(static_cast<std::size_t>(topology.outdegree()), sent.front());
    return {topology.rank(), &topology.edges(), std::move(sent), bytes_received(*given_.call)};
}

/// What all ranks must say alike before the first message, last the sizes of blocks.
std::vector<mpi::Claim> Collective::claims() const {
    if (given_.mistake) return {};
    const auto& call = *given_.call;
    return {{"collective operation",
             {static_cast<std::int64_t>(call.operation)},
             {},
             operation_wording},
            mpi::claim_of(call.buffers.op, !call.in_order),
            given_.settings.claim(),
            call.block_bytes};
}

mpi::Tally Collective::own_tally() const {
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    if (given_.mistake || !sizes_by_edge()) return tally;
    const auto ends = this->ends();
    tally.bytes = sizes_at(ends);
    tally.balance = balance(ends);
    tally.entry.add(given_.earlier ? Agreed::entry_of(given_.earlier->agreed) : -1);
    return tally;
}

call::Statement Collective::statement() const {
    return {claims(), given_.mistake, own_tally(), given_.topology->definition().unsure_sizes};
}

/// Plans as if no ranks shared cores: where they do, the candidates are among these. A call that
/// was bound before needs no planning.
void Collective::plan_first(MPI_Comm comm) {
    auto& topology = *given_.topology;
    if (!asks() && given_.mistake) throw mpi::Error(*given_.mistake);
    if (!asks() && given_.settings.rule == nullptr && sizes_by_edge())
        given_.settings.rule = &routing::direct;
    if (given_.earlier || candidates_planned(topology, given_.settings, given_.operation)) return;
    if (asks()) {
        mpi::Agreement agreement(comm, claims(), given_.mistake, {},
                                 topology.definition().unsure_sizes);
        concluded(agreement);
    }
    plan_candidates(topology, given_.settings, given_.operation, comm);
}

// ---- agree ----

/// @param number  of the call, which is the entry's when it comes again
Agreed Collective::agreed_by_edge(const mpi::Tally& tally, std::int64_t number) const {
    const auto most = std::max<std::int64_t>(0, tally.bytes.most);
    if (tally.one_size()) return {{most}, true, -1};
    return {{most}, false, tally.one_entry() ? tally.entry.most : number};
}

Agreed Collective::agreed_by_position(std::vector<std::int64_t> block_bytes) const {
    if (sizes_by_position(*given_.topology, given_.settings) || block_bytes.size() <= 1)
        return {std::move(block_bytes), true, -1};
    const auto [least, most] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    return {{*most}, *least == *most, -1};
}

/// Names the edge where all ranks are in an init together; a call that ends once may end in any
/// order, and must not talk again.
void Collective::refuse_sizes(const call::Ticket& ticket) const {
    if (ticket.together) throw_difference(ends(), *ticket.state, ticket.comm, MPI_ERR_ARG);
    throw mpi::Error(MPI_ERR_ARG,
                     "the bytes that some rank sends along an edge are not those that its target "
                     "expects; the call with _init says where");
}

void Collective::agree(const std::vector<mpi::Claim>& claims, const mpi::Tally& tally,
                       const call::Ticket& ticket) {
    if (tally.balance != 0) refuse_sizes(ticket);
    agreed_ = sizes_by_edge() ? agreed_by_edge(tally, ticket.number)
                              : agreed_by_position(claims.back().values);
    given_.settings.heed_oversubscription(mpi::ranks_per_core(tally.oversubscription.most));
    if (ticket.together)
        plan_candidates(*given_.topology, given_.settings, given_.operation, ticket.comm);
}

/// Where nobody asks the others, sizes of edges are known to their two ends alone.
void Collective::take_own_word() {
    if (!sizes_by_edge())
        agreed_ = agreed_by_position(given_.call->block_bytes.values);
    else
        agreed_ = {{std::max<std::int64_t>(0, sizes_at(ends()).most)}, false, -1};
}

bool Collective::same_plan(const call::BoundCall& earlier) const {
    if (earlier.agreed != agreed_.numbers()) return false;
    return agreed_.sized || agreed_.entry >= 0 || given_.settings.rule == &routing::direct;
}

// ---- candidates ----

std::vector<choose::Candidate> Collective::candidates() {
    const auto& topology = *given_.topology;
    if (given_.call->in_order)
        candidates_ = {direct_candidate(topology, gathering(given_.operation))};
    else
        candidates_ = neighbor::candidates(topology, given_.settings, given_.operation);
    std::vector<choose::Candidate> result;
    for (const auto& candidate : candidates_)
        result.push_back({[this, &candidate] {
            if (given_.call->in_order) return choose::Load{};
            return load_of(candidate, agreed_.block_bytes, machine());
        }});
    return result;
}

// ---- sizes ----

call::Written Collective::write_in_order(const Candidate& candidate) const {
    const auto bytes = agreed_.block_bytes.front();
    const bool one_block = schedule::sends_one_block(given_.operation);
    const auto& topology = *given_.topology;
    const auto blocks =
        candidate.on_grid && !one_block ? static_cast<std::size_t>(topology.outdegree()) : 1;
    auto schedule =
        placed(topology, candidate, gathering(given_.operation), std::vector(blocks, bytes));
    return {schedule::sum_at_end(std::move(schedule), bytes)};
}

/// What goes in one hop has sizes that its two ends know.
call::Written Collective::write(std::size_t number) {
    const auto& candidate = candidates_[number];
    if (given_.call->in_order) return write_in_order(candidate);
    constexpr std::int64_t one_number = sizeof(std::int64_t);
    const auto bytes = agreed_.sized ? agreed_.block_bytes : std::vector<std::int64_t>{one_number};
    auto schedule = placed(*given_.topology, candidate, given_.operation, bytes);
    if (agreed_.sized || candidate.phases() > 1) return {std::move(schedule), agreed_.sized};
    return {schedule::resized(std::move(schedule), own_sizes())};
}

schedule::SlotBytes Collective::own_sizes() const {
    return {bytes_sent(*given_.call), bytes_received(*given_.call), {}};
}

// ---- bind ----

engine::Buffers Collective::buffers(std::size_t, schedule::Schedule& schedule,
                                    call::BoundCall& bound) const {
    const auto& call = *given_.call;
    auto buffers = call.buffers;
    if (buffers.op != MPI_OP_NULL && schedule.temp_slots > 0)
        bound.memory.temps = call::TypedMemory(
            std::vector(static_cast<std::size_t>(schedule.temp_slots), call.summand));
    buffers.temp = bound.memory.temps.blocks();
    return buffers;
}

engine::Summary Collective::summary(std::size_t number, const choose::Load&) const {
    const auto& candidate = candidates_[number];
    return {std::string(candidate.rule->name),
            candidate.phases(),
            candidate.rounds(),
            0,
            candidate.volume(),
            0};
}

void Collective::keep(call::BoundCall& bound) const {
    bound.call = given_.call;
    bound.agreed = agreed_.numbers();
}

}  // namespace carpool::neighbor
