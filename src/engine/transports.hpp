// SPDX-License-Identifier: MIT
#pragma once

#include "choose/cut_offs.hpp"
#include "engine/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::engine {

/// The transports of a communicator. Messages to a rank take the first transport that reaches it.
/// The same on all ranks.
class Transports {
public:
    using List = std::vector<std::shared_ptr<const Transport>>;

    /// @param rank  the rank of this process
    /// @param cut_offs  the lengths at which messages change their transport or packing
    Transports(int rank, int ranks, const choose::CutOffs& cut_offs, List list)
        : rank_(rank), ranks_(ranks), cut_offs_(cut_offs), list_(std::move(list)) {}

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    const choose::CutOffs& cut_offs() const { return cut_offs_; }

    const List& list() const { return list_; }
    std::size_t count() const { return list_.size(); }
    const Transport& operator[](std::size_t number) const { return *list_[number]; }

    /// The transport that reaches a rank, and how it does.
    struct Way {
        std::size_t transport;
        Reach reach;
    };

    /// The first transport that reaches a rank.
    /// @param synchronous  only transports that tell when a message is received are considered;
    ///                     there must be one
    Way way_to(int peer, bool synchronous = false) const;

    const Transport& to(int peer) const { return *list_[way_to(peer).transport]; }

    /// Whether Carpool must assemble a message of so many bytes that is not contiguous.
    bool packs(int peer, std::int64_t bytes) const { return bytes <= way_to(peer).reach.packs_to; }

    /// Whether Carpool must receive a message of so many bytes into contiguous memory.
    bool unpacks(int peer, std::int64_t bytes) const {
        return bytes <= way_to(peer).reach.unpacks_to;
    }

    /// Memory for a message to or from that rank.
    Staging staging(int peer, std::int64_t bytes) const { return to(peer).staging(peer, bytes); }

private:
    int rank_;
    int ranks_;
    choose::CutOffs cut_offs_;
    List list_;
};

}  // namespace carpool::engine
