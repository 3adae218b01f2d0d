#include "neighbor/request.hpp"

#include "call/size_learning.hpp"
#include "engine/steps.hpp"
#include "mpi/oversubscription.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/edge_check.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

/// At the first call of its kind on a communicator all ranks plan together, once they know that all
/// have come for the same. As if nobody shared cores: who does has as many candidates or fewer.
/// @note Collective then.
void plan_first(MPI_Comm comm, const Intent& intent) {
    auto& topology = *intent.topology;
    if (candidates_planned(topology, intent.settings, intent.operation)) return;
    if (!intent.settings.assert_matching) {
        mpi::Agreement agreement(comm, claims_of(intent), intent.mistake, {},
                                 intent.topology->definition().unsure_sizes);
        concluded(agreement);
    }
    plan_candidates(topology, intent.settings, intent.operation, comm);
}

/// Where nobody asks the others, sizes of edges are known to their two ends alone.
void go_direct_unless_told(Intent& intent) {
    if (intent.settings.rule == nullptr && sizes_by_edge(intent))
        intent.settings.rule = &routing::direct;
}

/// @param number  of the call, which is the entry's when it comes again
Agreed agreed_by_edge(const mpi::Tally& tally, std::int64_t number) {
    const auto most = std::max<std::int64_t>(0, tally.bytes.most);
    if (tally.one_size()) return {{most}, true, -1};
    return {{most}, false, tally.one_entry() ? tally.entry.most : number};
}

/// @param block_bytes  as agreed
Agreed agreed_by_position(const Intent& intent, std::vector<std::int64_t> block_bytes) {
    if (sizes_by_position(*intent.topology, intent.settings) || block_bytes.size() <= 1)
        return {std::move(block_bytes), true, -1};
    const auto [least, most] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    return {{*most}, *least == *most, -1};
}

/// As this rank would have it, where nobody asks the others.
Agreed own_word(const Intent& intent) {
    if (!sizes_by_edge(intent))
        return agreed_by_position(intent, call_of(intent).block_bytes.values);
    return {{std::max<std::int64_t>(0, sizes_of(intent).most)}, false, -1};
}

/// Where a call that has been agreed upon travels.
struct Ticket {
    MPI_Comm comm;
    int tag;
    std::int64_t number;  ///< of a call that ends once, else -1
    bool is_persistent() const { return number < 0; }
};

/// Names the edge where all ranks are in an init together; a call that ends once may end in any
/// order, and must not talk again.
[[noreturn]] void refuse_sizes(const Intent& intent, const Ticket& ticket) {
    if (ticket.is_persistent())
        throw_difference(ends_of(intent), *intent.topology->state(), ticket.comm, MPI_ERR_ARG);
    throw mpi::Error(MPI_ERR_ARG,
                     "the bytes that some rank sends along an edge are not those that its target "
                     "expects; the call with _init says where");
}

Agreed agreed_by_all(mpi::Agreement& agreement, const Intent& intent, const Ticket& ticket) {
    auto claims = ticket.is_persistent() ? agreement.conclude_together() : agreement.conclude();
    if (agreement.tally().balance != 0) refuse_sizes(intent, ticket);
    return sizes_by_edge(intent) ? agreed_by_edge(agreement.tally(), ticket.number)
                                 : agreed_by_position(intent, std::move(claims.back().values));
}

/// Is the call that was planned before the same for all other ranks too?
bool planned_before(const Intent& intent, const Agreed& agreed) {
    if (!intent.planned || intent.planned->agreed != agreed) return false;
    return agreed.sized || agreed.entry >= 0 || intent.settings.rule == &routing::direct;
}

std::shared_ptr<Prepared> bound(Intent& intent, const Ticket& ticket, Agreed agreed,
                                Planned planned) {
    auto& topology = *intent.topology;
    auto call = intent.planned ? intent.planned->call : std::move(*intent.call);
    auto prepared =
        prepare(topology, intent.settings, std::move(call), std::move(agreed), std::move(planned),
                ticket.is_persistent() ? std::optional(ticket.tag) : std::nullopt);
    if (!ticket.is_persistent()) topology.cache().keep(std::move(intent.signature), prepared);
    return prepared;
}

/// From a call to its exchange.
engine::Steps prepared(Intent intent, Ticket ticket) {
    Agreed agreed;
    if (intent.settings.assert_matching) {
        agreed = own_word(intent);
    } else {
        mpi::Agreement agreement(ticket.comm, claims_of(intent), intent.mistake, tally_of(intent),
                                 intent.topology->definition().unsure_sizes);
        co_await engine::until(agreement);
        agreed = agreed_by_all(agreement, intent, ticket);
        intent.settings.heed_oversubscription(
            mpi::ranks_per_core(agreement.tally().oversubscription.most));
    }
    auto& topology = *intent.topology;
    if (ticket.is_persistent())
        plan_candidates(topology, intent.settings, intent.operation, ticket.comm);
    if (planned_before(intent, agreed)) co_return std::move(intent.planned);
    const auto& call = call_of(intent);
    auto planned = plan_call(topology, intent.settings, call, agreed);
    if (!planned.sized) {
        call::SizeLearning learning(*topology.state(), std::move(planned.schedule),
                                    bytes_sent(call), bytes_received(call));
        learning.start(ticket.tag);
        co_await engine::until(learning);
        planned.schedule = learning.sized();
    }
    co_return bound(intent, ticket, std::move(agreed), std::move(planned));
}

std::unique_ptr<engine::Preparation> preparation(Intent intent, const Ticket& ticket) {
    return engine::Steps::begun(prepared(std::move(intent), ticket));
}

}  // namespace

std::unique_ptr<engine::Request> persistent(MPI_Comm comm, Intent intent) {
    intent.settings.assert_matching = false;  // an init is collective anyway
    auto tag = persistent_tag(intent.topology->state(), comm);
    auto steps = preparation(std::move(intent), {comm, tag.value(), -1});
    return engine::Request::persistent(comm, std::move(tag), std::move(steps));
}

std::unique_ptr<engine::Request> once(MPI_Comm comm, Intent intent) {
    if (intent.settings.assert_matching) {
        if (intent.mistake) throw mpi::Error(*intent.mistake);
        go_direct_unless_told(intent);
    }
    plan_first(comm, intent);
    const auto state = intent.topology->state();
    const Ticket ticket{comm, state->call_tag(), state->next_call()};
    return engine::Request::once(comm, state, ticket.tag, preparation(std::move(intent), ticket));
}

}  // namespace carpool::neighbor
