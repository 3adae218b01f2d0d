#include "many/berth.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace carpool::many {
namespace {

using routing::Course;

/// Hosts take 8 KiB or more in at once and ask for the room of longer messages. All heads of a
/// berth take 1 MiB or, with thousands of partners, half a KiB each; a communicator has 8 berths.
std::size_t head_with(std::size_t partners) {
    constexpr std::size_t all = std::size_t{1} << 20, least = 512, most = 8192;
    return std::clamp(all / std::max<std::size_t>(1, partners), least, most);
}

std::vector<int> sources_of(const Course& course) {
    std::vector<int> sources;
    for (const auto& phase : course.phases)
        sources.insert(sources.end(), phase.sources.begin(), phase.sources.end());
    return sources;
}

}  // namespace

Berth::Berth(const mpi::Lane& lane, int tag, Course way)
    : course(std::move(way)),
      partners(lane, tag, head_with(course.most_partners), sources_of(course)) {}

}  // namespace carpool::many
