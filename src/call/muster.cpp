#include "call/muster.hpp"

#include "call/bound_call.hpp"
#include "call/small_collective.hpp"
#include "call/watched.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

/// A sum that nobody reads, with its memory: who has it knows that all have come.
class RollCall final : public engine::Communication {
public:
    explicit RollCall(const mpi::CommState& state)
        : allreduce_(state, collectives::Kind::allreduce, small_allreduce(state),
                     {{block_of(own_)}, {block_of(sum_)}, MPI_SUM, {}}) {}

    void start(int tag) override { allreduce_.start(tag); }
    bool advance() override { return allreduce_.test(); }
    void withdraw() override { allreduce_.withdraw(); }
    bool has_all_of(int rank) const override { return allreduce_.has_all_of(rank); }
    std::vector<int> awaited() const override { return allreduce_.awaited(); }

private:
    std::array<std::int64_t, 1> own_{};
    std::array<std::int64_t, 1> sum_{};
    SmallCollective allreduce_;
};

/// That a communication is over.
struct Over {
    engine::Communication& communication;
    bool test() const { return communication.advance(); }
};

}  // namespace

engine::Steps<void> muster(const CallContext& context, CallCode code) {
    const auto& ticket = context.ticket;
    co_await engine::until(*ticket.state);
    auto call = std::make_shared<BoundCall>();
    call->state = ticket.state;
    auto watched = std::make_unique<Watched>(std::make_unique<RollCall>(*ticket.state), code,
                                             ticket.state, context.refusals);
    watched->belongs_to(call);
    call->communication = std::move(watched);
    call->communication->start(ticket.tag);
    Over over{*call->communication};
    co_await engine::until(over);
}

}  // namespace carpool::call
