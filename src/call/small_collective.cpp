#include "call/small_collective.hpp"

#include "call/tuning.hpp"
#include "collectives/algorithm.hpp"
#include "mpi/extent.hpp"

namespace carpool::call {

SmallCollective::SmallCollective(const mpi::CommState& state, collectives::Kind kind,
                                 std::string_view algorithm, const CollectiveBlocks& blocks) {
    const auto& own = *blocks.send.front().shape;
    collectives::Problem problem{kind, state.size(), 0, {own.bytes()}};
    if (collectives::reduces(kind)) problem.unit = mpi::size_of(own.type());
    auto schedule = collectives::schedule_of(*collectives::find_algorithm(kind, algorithm), problem,
                                             state.rank());
    const auto buffers = collective_buffers(blocks, problem, 1, schedule, memory_);
    exchange_ = engine::exchange_of(state, schedule, buffers,
                                    {Tuning::of_this_mpi().packing, engine::Watch::by_phase, {}});
}

}  // namespace carpool::call
