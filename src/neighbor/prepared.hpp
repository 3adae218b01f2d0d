#pragma once

#include "call/typed_memory.hpp"
#include "engine/preparation.hpp"
#include "neighbor/call.hpp"
#include "neighbor/settings.hpp"
#include "neighbor/topology.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// What all ranks have agreed upon before they plan a call.
struct Agreed {
    /// Per send block of a declared neighborhood; else one size, the largest.
    std::vector<std::int64_t> block_bytes;

    bool sized = true;        ///< these are the sizes of all blocks, whichever rank sends them
    std::int64_t entry = -1;  ///< the number of this call, where sizes differ from edge to edge
    friend bool operator==(const Agreed&, const Agreed&) = default;
};

/// A call as planned on this rank.
struct Planned {
    engine::Summary summary;
    bool sized = true;  ///< else all blocks are taken for 8 bytes, and those in transit are unknown
    schedule::Schedule schedule;
};

/// Plans a call. Local. @pre candidates_planned
Planned plan_call(const Topology& topology, const Settings& settings, const Call& call,
                  const Agreed& agreed);

/// Sizes of this rank's blocks, and of what it receives, as the call says.
std::vector<std::int64_t> bytes_sent(const Call& call);
std::vector<std::int64_t> bytes_received(const Call& call);

/// A call planned and bound, ready to start.
struct Prepared : engine::Prepared {
    ~Prepared() { exchange.reset(); }  // before its memory

    Call call;
    Agreed agreed;
    call::TypedMemory sums;  ///< partial ones, on their way
};

/// Binds a planned call to its buffers. Local.
///
/// @param tag  of all starts; none if each brings its own
/// @pre the plan is sized
std::shared_ptr<Prepared> prepare(const Topology& topology, const Settings& settings, Call call,
                                  Agreed agreed, Planned planned, std::optional<int> tag);

/// Binds a schedule to its buffers. @pre its peers are ranks of the channel
std::unique_ptr<engine::Exchange> exchange_of(const mpi::CommState& state, const Settings& settings,
                                              const schedule::Schedule& schedule,
                                              const engine::Buffers& buffers, std::int64_t phases,
                                              std::optional<int> tag);

}  // namespace carpool::neighbor
