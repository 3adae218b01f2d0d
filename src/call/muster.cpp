#include "call/muster.hpp"

#include "agree/joint.hpp"
#include "call/bound_call.hpp"
#include "call/watched.hpp"
#include "mpi/error.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

/// A sum that nobody reads: who has it knows that all have come.
std::unique_ptr<engine::Communication> roll_call(const mpi::CommState& state) {
    return std::make_unique<agree::Joint<std::int64_t>>(state, std::vector<std::int64_t>(1),
                                                        MPI_SUM);
}

/// That a communication is over.
struct Over {
    engine::Communication& communication;
    bool test() const { return communication.advance(); }
};

/// Until all ranks have come to the same communication before the messages of a call; what holds
/// it.
engine::Steps<std::shared_ptr<BoundCall>> gone_through(
    const CallContext& context, mistakes::CallCode code,
    std::unique_ptr<engine::Communication> what) {
    const auto& ticket = context.ticket;
    auto call = std::make_shared<BoundCall>();
    call->state = ticket.state;
    auto watched = std::make_unique<Watched>(std::move(what), code, ticket.state, context.refusals);
    watched->belongs_to(call);
    call->communication = std::move(watched);
    call->communication->start(ticket.tag);
    Over over{*call->communication};
    co_await engine::until(over);
    co_return call;
}

}  // namespace

engine::Steps<void> muster(const CallContext& context, mistakes::CallCode code) {
    const auto& state = context.ticket.state;
    co_await engine::until(*state);
    auto calling =
        gone_through(context, code.in_way(mistakes::CallCode::planning), roll_call(*state));
    co_await engine::until(calling);
}

engine::Steps<void> came_to_first(const CallContext& context, mistakes::CallCode code,
                                  bool& begun) {
    if (context.votes_on_comm()) co_return;
    auto mustering = muster(context, code);
    try {
        co_await engine::until(mustering);
    } catch (const mpi::Error&) {
        begun = false;
        throw;
    }
}

engine::Steps<std::vector<std::int64_t>> meet(const CallContext& context, mistakes::CallCode code,
                                              std::int64_t digest, std::vector<std::int64_t> own) {
    own.insert(own.end(), {digest, ~digest});
    auto made = std::make_unique<agree::Joint<std::int64_t>>(*context.ticket.state, std::move(own),
                                                             MPI_MAX);
    const auto& joint = *made;
    auto meeting = gone_through(context, code.in_way(mistakes::CallCode::meeting), std::move(made));
    co_await engine::until(meeting);
    const auto kept = meeting.take();
    auto most = joint.result();
    if (most.back() != ~digest || most[most.size() - 2] != digest)
        throw mpi::Error(MPI_ERR_ARG, "ranks call " + code.text() +
                                          " with other sizes of blocks, or another root or "
                                          "operator, expected the same");
    most.resize(most.size() - 2);
    co_return most;
}

}  // namespace carpool::call
