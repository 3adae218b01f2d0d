// SPDX-License-Identifier: MIT
#include "sparse/partner_state.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::sparse {
namespace {

using routing::PartnerSchedule;

/// MPI sends messages of 8 KiB eagerly, and longer ones by a rendezvous. All heads of one
/// PartnerState take up to 1 MiB or, with thousands of partners, half a KiB each; a communicator
/// has up to 8 of these.
std::size_t head_with(std::size_t partners) {
    constexpr std::size_t all = std::size_t{1} << 20, least = 512, most = 8192;
    return std::clamp(all / std::max<std::size_t>(1, partners), least, most);
}

std::vector<int> sources_of(const PartnerSchedule& schedule) {
    std::vector<int> sources;
    for (const auto& phase : schedule.phases)
        sources.insert(sources.end(), phase.sources.begin(), phase.sources.end());
    return sources;
}

}  // namespace

PartnerState::PartnerState(const mpi::CommState& state, int tag, PartnerSchedule partner_schedule)
    : schedule(std::move(partner_schedule)),
      receives(state, tag, head_with(schedule.most_partners), sources_of(schedule)) {}

}  // namespace carpool::sparse
