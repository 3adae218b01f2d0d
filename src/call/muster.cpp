#include "call/muster.hpp"

#include "call/bound_call.hpp"
#include "call/pipeline.hpp"
#include "call/small_collective.hpp"
#include "call/watched.hpp"
#include "mpi/attribute.hpp"

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
        : allreduce_(state, collectives::Kind::allreduce, small_allreduce(state.size()),
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

}  // namespace

void muster(MPI_Comm comm, const std::shared_ptr<mpi::CommState>& state, CallCode code) {
    auto call = std::make_shared<BoundCall>();
    call->state = state;
    auto watched = std::make_unique<Watched>(std::make_unique<RollCall>(*state), code, state,
                                             mpi::Attribute<Refusals>::of(comm, state));
    watched->belongs_to(call);
    call->communication = std::move(watched);
    start_and_wait(*call);
}

}  // namespace carpool::call
