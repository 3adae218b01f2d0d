#include "neighbor/prepared.hpp"

#include "choose/planner.hpp"
#include "schedule/place_sums.hpp"

#include <utility>

namespace carpool::neighbor {
namespace {

choose::Choice choose_rule(Definition& definition, const Settings& settings,
                           schedule::Operation operation,
                           std::span<const std::int64_t> block_bytes) {
    return settings.rule != nullptr
               ? definition.planner.planned(*settings.rule, operation)
               : definition.planner.cheapest(operation, block_bytes, settings.model);
}

/// A call as planned for this rank.
struct Planned {
    choose::Choice choice;
    schedule::Schedule schedule;
};

/// An operator that does not commute gets all blocks as they are, from their sources.
Planned planned_in_order(const Topology& topology, const Call& call, std::int64_t bytes) {
    auto& definition = topology.definition();
    const bool one_block = schedule::sends_one_block(call.operation);
    const auto gathered =
        one_block ? schedule::Operation::allgather : schedule::Operation::alltoall;
    const std::vector<std::int64_t> block_bytes(
        one_block ? 1 : static_cast<std::size_t>(topology.neighbors()), bytes);
    auto choice = definition.planner.planned(routing::direct, gathered);
    auto schedule = definition.planner.placed(choice, gathered, topology.rank(), block_bytes);
    return {std::move(choice), schedule::sum_at_end(std::move(schedule), bytes)};
}

Planned planned(const Topology& topology, const Settings& settings, const Call& call,
                std::span<const std::int64_t> block_bytes) {
    if (call.in_order) return planned_in_order(topology, call, block_bytes.front());
    auto& definition = topology.definition();
    auto choice = choose_rule(definition, settings, call.operation, block_bytes);
    auto schedule = definition.planner.placed(choice, call.operation, topology.rank(), block_bytes);
    return {std::move(choice), std::move(schedule)};
}

Summary summary_of(const choose::Choice& choice, const schedule::Schedule& schedule) {
    return {
        std::string(choice.rule->name),    choice.plan->phases(), choice.plan->rounds(),
        schedule::messages_sent(schedule), choice.volume(),       schedule::bytes_sent(schedule)};
}

/// Measured: persistent requests of MPI make starts of combined messages up to 5 % faster, and
/// those of many independent messages up to 50 % slower than Isend and Irecv
/// (docs/measurements.md).
bool posts_persistent(Posting posting, int phases) {
    return posting == Posting::automatic ? phases > 1 : posting == Posting::persistent;
}

}  // namespace

void translate_peers(schedule::Schedule& schedule, const Topology& topology) {
    for (auto& round : schedule.rounds) {
        for (auto* message : {&round.send, &round.receive})
            if (message->peer != topology::no_rank)
                message->peer = topology.channel_rank(message->peer);
    }
}

std::unique_ptr<engine::Exchange> exchange_of(const Topology& topology, const Settings& settings,
                                              const schedule::Schedule& schedule,
                                              const engine::Buffers& buffers, int phases,
                                              std::optional<int> tag) {
    return std::make_unique<engine::Exchange>(
        engine::bind(schedule, buffers, settings.packing), topology.channel_comm(),
        posts_persistent(settings.posting, phases) ? tag : std::nullopt);
}

std::shared_ptr<Prepared> prepare(Topology& topology, const Settings& settings, Call call,
                                  const std::vector<std::int64_t>& block_bytes,
                                  std::optional<int> tag) {
    auto [choice, schedule] = planned(topology, settings, call, block_bytes);
    auto prepared = std::make_shared<Prepared>();
    prepared->summary = summary_of(choice, schedule);
    translate_peers(schedule, topology);
    prepared->call = std::move(call);
    prepared->block_bytes = block_bytes;
    auto& buffers = prepared->call.buffers;
    if (buffers.op != MPI_OP_NULL && schedule.temp_slots > 0)
        prepared->sums = TypedMemory(schedule.temp_slots, buffers.send.front().shape);
    buffers.temp = prepared->sums.blocks();
    prepared->exchange =
        exchange_of(topology, settings, schedule, buffers, choice.plan->phases(), tag);
    return prepared;
}

}  // namespace carpool::neighbor
