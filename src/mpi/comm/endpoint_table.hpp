// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/gathering.hpp"
#include "shared/shared_segment.hpp"
#include "topology/nodes.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::mpi {

/// The nodes of a channel's ranks, and the endpoints with which this rank shares memory.
struct EndpointTable {
    std::uint64_t context =
        0;  ///< the context of messages on this channel; no other channel has it
    std::vector<shared::Endpoint*> endpoints;  ///< by place on this rank's node, null if it shares
                                               ///< no memory; empty if none does on any node
    std::shared_ptr<const topology::Nodes>
        nodes;               ///< the nodes of all ranks; null if there is only one node
    int node = 0;            ///< the node of this rank
    bool all_share = false;  ///< does every rank share memory with all of its node?

    shared::Endpoint* endpoint(int rank) const {
        if (endpoints.empty() || (nodes && nodes->node(rank) != node)) return nullptr;
        return endpoints[static_cast<std::size_t>(nodes ? nodes->place(rank) : rank)];
    }

    /// Discards messages from endpoints that no receive expects; returns how many.
    std::size_t discard_messages() const;

    /// The table for the n-th further channel of the same ranks.
    EndpointTable further(std::uint64_t number) const;
};

/// The shared segment of this process, which is made at the first call; null if no memory is
/// shared: the system has none, or CARPOOL_TRANSPORT is mpi.
shared::SharedSegment* shared_segment();

/// Finds out which ranks of a channel can be endpoints of each other. Each rank tells all others
/// the name of its node, and those of its node its card; where there are few ranks, it tells all of
/// them its card at once. The constructor returns at once; test() has to be called until it returns
/// true.
class EndpointDiscovery {
public:
    /// So many cards take less time to send than a further round of messages on a node.
    static constexpr int few_ranks = 256;

    /// @note Collective.
    /// @param comm       must outlive this object
    /// @param told_all   up to so many ranks tell all others their cards; the same on all ranks
    explicit EndpointDiscovery(MPI_Comm comm, int told_all = few_ranks);
    EndpointDiscovery(const EndpointDiscovery&) = delete;
    EndpointDiscovery& operator=(const EndpointDiscovery&) = delete;

    bool test();

    /// Does the first rank have a tuning file? @pre As for take()
    bool tells_of_tuning_file() const { return by_first_.has_tuning_file != 0; }

    /// @pre test() has returned true
    EndpointTable take() { return std::move(endpoint_table_); }

private:
    /// What all ranks learn from the first one.
    struct ByFirst {
        std::uint64_t context;
        std::uint64_t has_tuning_file;
    };
    static constexpr std::size_t words_by_first = sizeof(ByFirst) / sizeof(std::uint64_t);

    /// What a rank has to know of those of its node.
    struct Card {
        ByFirst by_first;
        shared::ProcessAddress presence;
        std::uint64_t endpoints;  ///< a digest of the processes with which it shares memory already
    };

    using Step = void (EndpointDiscovery::*)();

    void tell_card_to_all();
    void hear_cards_of_all();
    void tell_name_to_all();
    void hear_names();
    bool found_nodes(const ByFirst& by_first, std::span<std::uint64_t> names);
    void tell_card_on_node();
    void meet_all();
    bool all_known_already() const;
    bool attached(const shared::ProcessAddress& other) const;
    void make_endpoints();

    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 0;
    Card own_{};
    std::vector<std::uint64_t> processes_;  ///< the processes of the digest on this rank's card
    ByFirst by_first_{};
    std::vector<std::uint64_t>
        names_;                    ///< the names of all ranks' nodes, after what the first tells
    std::vector<int> companions_;  ///< the ranks of this node
    std::vector<Card> cards_;      ///< by companion, or by rank until these are known
    std::vector<char> content_;    ///< by rank: could it attach all that it should?
    Gathering gathering_;
    Step then_ = nullptr;  ///< what follows when all is gathered
    EndpointTable endpoint_table_;
};

}  // namespace carpool::mpi
