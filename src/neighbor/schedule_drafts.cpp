// SPDX-License-Identifier: MIT
#include "neighbor/schedule_drafts.hpp"

#include "schedule/length_headers.hpp"
#include "schedule/place_sums.hpp"
#include "schedule/resized.hpp"
#include "schedule/straight.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace carpool::neighbor {

using schedule::Operation;

Operation gathering(Operation reduction) {
    return schedule::sends_one_block(reduction) ? Operation::allgather : Operation::alltoall;
}

bool ScheduleDrafts::divides(const RuleCandidate& candidate) const {
    const bool planned_for =
        candidate.rule->follows_next_hop && known_.topology->bytes() != nullptr;
    return !agreed().sized && known_.operation == Operation::alltoall && candidate.phases() > 1 &&
           !planned_for;
}

std::int64_t ScheduleDrafts::longest_combined(const RuleCandidate& candidate) const {
    return divides(candidate) ? known_.longest : std::numeric_limits<std::int64_t>::max();
}

call::ScheduleDraft ScheduleDrafts::of(const RuleCandidate& candidate) const {
    if (known_.call->in_order()) return in_order(candidate);
    if (has_length_headers(candidate)) return with_length_headers(candidate);
    auto schedule = with_agreed_sizes(candidate);
    if (agreed().sized) return {std::move(schedule)};
    if (candidate.phases() > 1) {
        const auto& topology = *known_.topology;
        auto blocks = schedule::divided(topology.edges(), topology.rank(), own_sizes(),
                                        longest_combined(candidate));
        return {std::move(schedule), std::move(blocks)};
    }
    const bool all_find_out = known_.votes || known_.confirms;
    const auto empty = all_find_out ? schedule::Empty::left_out : schedule::Empty::kept;
    return {schedule::resized(std::move(schedule), own_sizes(), empty)};
}

call::ScheduleDraft ScheduleDrafts::in_order(const RuleCandidate& candidate) const {
    const auto& topology = *known_.topology;
    const auto bytes = agreed().block_bytes.front() + (keeps_empty() ? 1 : 0);
    const bool one_block = schedule::sends_one_block(known_.operation);
    const auto blocks =
        candidate.on_grid && !one_block ? static_cast<std::size_t>(topology.outdegree()) : 1;
    auto schedule =
        placed(topology, candidate, gathering(known_.operation), std::vector(blocks, bytes));
    return {as_agreed(schedule::sum_at_end(std::move(schedule), bytes))};
}

call::ScheduleDraft ScheduleDrafts::with_length_headers(const RuleCandidate& candidate) const {
    const auto& topology = *known_.topology;
    const auto longest = known_.unsized_route->longest;
    return {schedule::with_length_headers(
        placed(topology, candidate, known_.operation, std::span(&longest, 1)), longest,
        topology.edges(), topology.rank(), own_sizes())};
}

/// Blocks whose sizes are still to be learnt stand for one number each until then.
schedule::Schedule ScheduleDrafts::with_agreed_sizes(const RuleCandidate& candidate) const {
    constexpr std::int64_t one_number = sizeof(std::int64_t);
    auto bytes = agreed().sized ? agreed().block_bytes : std::vector<std::int64_t>{one_number};
    if (keeps_empty())
        for (auto& block : bytes) ++block;
    return as_agreed(placed(*known_.topology, candidate, known_.operation, bytes));
}

/// Completes a schedule that was written with one byte more in each block, if blocks without bytes
/// are sent, too.
schedule::Schedule ScheduleDrafts::as_agreed(schedule::Schedule schedule) const {
    return keeps_empty() ? schedule::shortened(std::move(schedule)) : schedule;
}

schedule::SlotBytes ScheduleDrafts::own_sizes() const {
    const auto& buffers = known_.call->buffers;
    return {mpi::sizes_of(buffers.send), mpi::sizes_of(buffers.recv), {}};
}

}  // namespace carpool::neighbor
