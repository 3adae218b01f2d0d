#include "sparse/partner_state.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::sparse {
namespace {

using routing::PartnerSchedule;

/// Hosts take 8 KiB or more in at once and ask for the room of longer messages. All heads of a
/// strategy take 1 MiB or, with thousands of partners, half a KiB each; a communicator has 8
/// of them.
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

PartnerState::PartnerState(const mpi::CommState& state, int tag, PartnerSchedule strategy)
    : schedule(std::move(strategy)),
      partners(state, tag, head_with(schedule.most_partners), sources_of(schedule)) {}

}  // namespace carpool::sparse
