#pragma once

#include "mpi/comm/gathering.hpp"
#include "shared/shared_segment.hpp"
#include "topology/nodes.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::mpi {

/// The nodes of a channel's ranks, and the endpoints with which this rank shares memory.
struct EndpointTable {
    std::uint64_t context =
        0;  ///< the context of messages on this channel; no other channel has it
    std::vector<shared::Endpoint*>
        endpoints;  ///< by rank, null if it shares no memory; empty if none does
    std::shared_ptr<const topology::Nodes>
        nodes;               ///< the nodes of all ranks; null if there is only one node
    bool all_share = false;  ///< does every rank share memory with all of its node?

    shared::Endpoint* endpoint(int rank) const {
        return endpoints.empty() ? nullptr : endpoints[static_cast<std::size_t>(rank)];
    }

    /// Discards messages from endpoints that no receive expects; returns how many.
    std::size_t discard_messages() const;

    /// The table for the n-th further channel of the same ranks.
    EndpointTable further(std::uint64_t number) const;
};

/// The shared segment of this process, which is made at the first call; null if no memory is
/// shared: the system has none, or CARPOOL_TRANSPORT is mpi.
shared::SharedSegment* shared_segment();

/// Finds out which ranks of a channel can be endpoints of each other. The constructor returns at
/// once; test() has to be called until it returns true.
class EndpointDiscovery {
public:
    /// @note Collective. @param comm  must outlive this object
    explicit EndpointDiscovery(MPI_Comm comm);
    EndpointDiscovery(const EndpointDiscovery&) = delete;
    EndpointDiscovery& operator=(const EndpointDiscovery&) = delete;

    bool test();

    /// Does the first rank have a tuning file? @pre As for take()
    bool tells_of_tuning_file() const { return cards_.front().has_tuning_file; }

    /// @pre test() has returned true
    EndpointTable take() { return std::move(endpoint_table_); }

private:
    /// What each rank sends first.
    struct Card {
        shared::ProcessAddress presence;
        std::uint64_t context;    ///< all ranks take that of the first
        std::uint64_t endpoints;  ///< a digest of the processes with which it shares memory already
        bool has_tuning_file;     ///< only that of the first rank counts
    };

    template <typename Value>
    void gather(std::vector<Value>& values);
    bool shares_node(int rank) const;
    bool anybody_shares() const;
    bool all_known_already() const;
    void find_nodes();
    void meet_all();
    void make_endpoints();

    MPI_Comm comm_;
    int rank_ = 0;
    std::vector<std::uint64_t> processes_;  ///< the processes of the digest on this rank's card
    std::vector<Card> cards_;
    std::vector<char> content_;  ///< second round: could each rank attach all that it should?
    bool second_ = false;
    Gathering gathering_;
    EndpointTable endpoint_table_;
};

}  // namespace carpool::mpi
