#pragma once

#include "engine/exchange.hpp"
#include "neighbor/call.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "neighbor/typed_memory.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::neighbor {

/// What a rank does in one exchange, in numbers.
struct Summary {
    std::string algorithm;
    std::int64_t phases = 0;
    std::int64_t rounds = 0;
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    std::int64_t bytes = 0;
};

/// A call planned and bound, ready to start.
struct Prepared {
    Call call;
    std::vector<std::int64_t> block_bytes;  ///< as agreed
    Summary summary;
    TypedMemory sums;  ///< partial ones, on their way
    std::unique_ptr<engine::Exchange> exchange;
};

/// Plans a call and binds it to its buffers. Local.
///
/// @param block_bytes  per send block, as all ranks have agreed
/// @param tag          of all starts; none if each brings its own
std::shared_ptr<Prepared> prepare(Topology& topology, const Settings& settings, Call call,
                                  const std::vector<std::int64_t>& block_bytes,
                                  std::optional<int> tag);

/// Names the peers of a schedule as ranks of the channel.
void translate_peers(schedule::Schedule& schedule, const Topology& topology);

/// Binds a schedule to its buffers. @pre its peers are ranks of the channel
std::unique_ptr<engine::Exchange> exchange_of(const Topology& topology, const Settings& settings,
                                              const schedule::Schedule& schedule,
                                              const engine::Buffers& buffers, int phases,
                                              std::optional<int> tag);

}  // namespace carpool::neighbor
