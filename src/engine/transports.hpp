#pragma once

#include "choose/cut_offs.hpp"
#include "engine/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::engine {

/// The transports of a communicator, of which each rank is reached by the first that reaches it.
/// Alike on all ranks.
class Transports {
public:
    using List = std::vector<std::shared_ptr<const Transport>>;

    /// @param rank  this one
    /// @param cut_offs  at which lengths messages go another way
    Transports(int rank, int ranks, const choose::CutOffs& cut_offs, List list)
        : rank_(rank), ranks_(ranks), cut_offs_(cut_offs), list_(std::move(list)) {}

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    const choose::CutOffs& cut_offs() const { return cut_offs_; }

    const List& list() const { return list_; }
    std::size_t count() const { return list_.size(); }
    const Transport& operator[](std::size_t number) const { return *list_[number]; }

    /// By which transport a rank is reached, and how.
    struct Way {
        std::size_t transport;
        Reach reach;
    };

    /// @param synchronous  by one that tells when a message is received @pre there is one
    Way way_to(int peer, bool synchronous = false) const;

    const Transport& to(int peer) const { return *list_[way_to(peer).transport]; }

    /// Must a message of so many bytes be put together by us, if it does not lie in one piece?
    bool packs(int peer, std::int64_t bytes) const { return bytes <= way_to(peer).reach.packs_to; }

    /// The tag of the first message from that rank that nobody has asked for.
    std::optional<int> unexpected_from(int rank) const;

    /// Memory for a message to or from that rank.
    Staging staging(int peer, std::int64_t bytes) const { return to(peer).staging(peer, bytes); }

private:
    int rank_;
    int ranks_;
    choose::CutOffs cut_offs_;
    List list_;
};

}  // namespace carpool::engine
