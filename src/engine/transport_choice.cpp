// SPDX-License-Identifier: MIT
#include "engine/transport_choice.hpp"

#include "engine/memory_transport.hpp"
#include "engine/mpi_transport.hpp"

#include <limits>
#include <utility>

namespace carpool::engine {
namespace {

StagingLimits longest_through_memory(const choose::CutOffs& cut_offs,
                                     TransportChoice transport_choice) {
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    if (transport_choice == TransportChoice::shared) return {any, any};
    return {cut_offs.put_together_through_memory, cut_offs.whole_through_memory,
            transport_choice == TransportChoice::other};
}

}  // namespace

Transports transports_of(const mpi::CommState& state, TransportChoice transport_choice) {
    const auto cut_offs = state.cut_offs();
    Transports::List list;
    list.reserve(2);
    if (transport_choice != TransportChoice::mpi && state.size() > 1 &&
        !state.channel()->endpoint_table().endpoints.empty())
        list.push_back(std::make_shared<MemoryTransport>(
            state, longest_through_memory(cut_offs, transport_choice)));
    list.push_back(std::make_shared<MpiTransport>(state));
    return {state.rank(), state.size(), cut_offs, std::move(list)};
}

/// Asks the same transports, made here because transports_of() allocates them.
std::optional<int> unexpected_from(const mpi::CommState& state, int rank) {
    const auto through_memory = MemoryTransport(state, {}).unexpected_from(rank);
    return through_memory.tag ? through_memory.tag : MpiTransport(state).unexpected_from(rank).tag;
}

}  // namespace carpool::engine
