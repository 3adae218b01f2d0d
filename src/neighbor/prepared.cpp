#include "neighbor/prepared.hpp"

#include "choose/planner.hpp"
#include "schedule/place.hpp"

namespace carpool::neighbor {
namespace {

choose::Choice choose_rule(Definition& definition, const Settings& settings,
                           routing::Pattern pattern, std::span<const std::int64_t> block_bytes) {
    return settings.rule != nullptr
               ? definition.planner.planned(*settings.rule, pattern)
               : definition.planner.cheapest(pattern, block_bytes, settings.model);
}

Summary summary_of(const choose::Choice& choice, const schedule::Schedule& schedule) {
    return {std::string(choice.rule->name), choice.plan->phases(),
            choice.plan->rounds(),          schedule::messages_sent(schedule),
            choice.plan->volume(),          schedule::bytes_sent(schedule)};
}

/// Measured: persistent requests of MPI make starts of combined messages up to 5 % faster, and
/// those of many independent messages up to 50 % slower than Isend and Irecv
/// (docs/measurements.md).
bool posts_persistent(Posting posting, const routing::Plan& plan) {
    return posting == Posting::automatic ? plan.phases() > 1 : posting == Posting::persistent;
}

void translate_peers(schedule::Schedule& schedule, const Topology& topology) {
    for (auto& round : schedule.rounds) {
        for (auto* message : {&round.send, &round.receive})
            if (message->peer != topology::no_rank)
                message->peer = topology.channel_rank(message->peer);
    }
}

}  // namespace

std::shared_ptr<Prepared> prepare(Topology& topology, const Settings& settings, Call call,
                                  const std::vector<std::int64_t>& block_bytes,
                                  std::optional<int> tag) {
    auto& definition = topology.definition();
    const auto choice = choose_rule(definition, settings, call.pattern, block_bytes);
    auto schedule = schedule::place(*choice.plan, definition.grid, definition.neighborhood,
                                    topology.rank(), block_bytes);
    auto prepared = std::make_shared<Prepared>();
    prepared->summary = summary_of(choice, schedule);
    translate_peers(schedule, topology);
    prepared->call = std::move(call);
    prepared->block_bytes = block_bytes;
    prepared->exchange = std::make_unique<engine::Exchange>(
        engine::bind(schedule, prepared->call.buffers, settings.packing), topology.channel_comm(),
        posts_persistent(settings.posting, *choice.plan) ? tag : std::nullopt);
    return prepared;
}

}  // namespace carpool::neighbor
