#include "neighbor/prepared.hpp"

#include "call/peers.hpp"
#include "neighbor/candidate.hpp"
#include "schedule/place_sums.hpp"
#include "schedule/resized.hpp"

#include <utility>

namespace carpool::neighbor {
namespace {

engine::Summary summary_of(const Candidate& candidate) {
    return {std::string(candidate.rule->name),
            candidate.phases(),
            candidate.rounds(),
            0,
            candidate.volume(),
            0};
}

/// An operator that does not commute gets all blocks as they are, from their sources.
Planned planned_in_order(const Topology& topology, const Call& call, std::int64_t bytes) {
    const bool one_block = schedule::sends_one_block(call.operation);
    const auto gathered =
        one_block ? schedule::Operation::allgather : schedule::Operation::alltoall;
    const auto candidate = direct_candidate(topology, gathered);
    const std::vector<std::int64_t> block_bytes(
        candidate.on_grid && !one_block ? static_cast<std::size_t>(topology.outdegree()) : 1,
        bytes);
    auto schedule = placed(topology, candidate, gathered, block_bytes);
    return {summary_of(candidate), true, schedule::sum_at_end(std::move(schedule), bytes)};
}

/// What goes in one hop has sizes that its two ends know.
void size_by_ends(Planned& planned, const Call& call) {
    if (planned.sized || planned.summary.phases > 1) return;
    planned.schedule = schedule::resized(std::move(planned.schedule),
                                         {bytes_sent(call), bytes_received(call), {}});
    planned.sized = true;
}

std::vector<std::int64_t> bytes_of(const std::vector<mpi::Block>& blocks) {
    std::vector<std::int64_t> bytes;
    for (const auto& block : blocks) bytes.push_back(block.shape ? block.shape->bytes() : 0);
    return bytes;
}

}  // namespace

std::unique_ptr<engine::Exchange> exchange_of(const mpi::CommState& state, const Settings& settings,
                                              const schedule::Schedule& schedule,
                                              const engine::Buffers& buffers, std::int64_t phases,
                                              std::optional<int> tag) {
    return std::make_unique<engine::Exchange>(
        engine::bind(schedule, buffers, settings.packing), state.channel_comm(),
        call::posts_persistent(settings.posting, phases) ? tag : std::nullopt);
}

std::vector<std::int64_t> bytes_sent(const Call& call) { return bytes_of(call.buffers.send); }
std::vector<std::int64_t> bytes_received(const Call& call) { return bytes_of(call.buffers.recv); }

Planned plan_call(const Topology& topology, const Settings& settings, const Call& call,
                  const Agreed& agreed) {
    if (call.in_order) return planned_in_order(topology, call, agreed.block_bytes.front());
    const auto candidate = chosen(topology, settings, call.operation, agreed.block_bytes);
    constexpr std::int64_t one_number = sizeof(std::int64_t);
    const std::vector<std::int64_t> bytes =
        agreed.sized ? agreed.block_bytes : std::vector<std::int64_t>{one_number};
    Planned planned{summary_of(candidate), agreed.sized,
                    placed(topology, candidate, call.operation, bytes)};
    size_by_ends(planned, call);
    return planned;
}

std::shared_ptr<Prepared> prepare(const Topology& topology, const Settings& settings, Call call,
                                  Agreed agreed, Planned planned, std::optional<int> tag) {
    auto prepared = std::make_shared<Prepared>();
    auto& schedule = planned.schedule;
    prepared->summary = std::move(planned.summary);
    prepared->summary.messages = schedule::messages_sent(schedule);
    prepared->summary.bytes = schedule::bytes_sent(schedule);
    call::name_on_channel(schedule, *topology.state());
    prepared->call = std::move(call);
    prepared->agreed = std::move(agreed);
    auto& buffers = prepared->call.buffers;
    if (buffers.op != MPI_OP_NULL && schedule.temp_slots > 0)
        prepared->sums = call::TypedMemory(
            std::vector(static_cast<std::size_t>(schedule.temp_slots), prepared->call.summand));
    buffers.temp = prepared->sums.blocks();
    prepared->exchange =
        exchange_of(*topology.state(), settings, schedule, buffers, prepared->summary.phases, tag);
    return prepared;
}

}  // namespace carpool::neighbor
