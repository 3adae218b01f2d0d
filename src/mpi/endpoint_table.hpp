#pragma once

#include "mpi/gathering.hpp"
#include "shared/shared_segment.hpp"
#include "topology/nodes.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::mpi {

/// Where the ranks of a channel are, and with which of them this one shares memory.
struct EndpointTable {
    std::uint64_t context = 0;  ///< of messages on the channel; no other has it
    std::vector<shared::Endpoint*>
        endpoints;  ///< per rank, null where none; empty where there is none
    std::shared_ptr<const topology::Nodes> nodes;  ///< of all ranks; null for one
    bool all_share = false;  ///< does every rank share memory with all of its node?

    shared::Endpoint* endpoint(int rank) const {
        return endpoints.empty() ? nullptr : endpoints[static_cast<std::size_t>(rank)];
    }

    /// Throws away what endpoints have sent and nobody expects; returns how many messages.
    std::size_t discard_messages() const;

    /// That of the how-manieth further channel of the same ranks.
    EndpointTable further(std::uint64_t number) const;
};

/// This process's, made at the first call; null where no memory is shared: the system gives none,
/// or CARPOOL_TRANSPORT is mpi.
shared::SharedSegment* shared_segment();

/// How the ranks of a channel come to know each other. Returns at once, and is tested until it is
/// over.
class EndpointDiscovery {
public:
    /// @note Collective. @param comm  lives on
    explicit EndpointDiscovery(MPI_Comm comm);
    EndpointDiscovery(const EndpointDiscovery&) = delete;
    EndpointDiscovery& operator=(const EndpointDiscovery&) = delete;

    bool test();

    /// Has the first rank a tuning file to tell of? @pre as take()
    bool tells_of_tuning_file() const { return cards_.front().has_tuning_file; }

    /// @pre test() has been true
    EndpointTable take() { return std::move(endpoint_table_); }

private:
    /// What each rank says first.
    struct Card {
        shared::ProcessAddress presence;
        std::uint64_t context;    ///< the first rank's holds
        std::uint64_t endpoints;  ///< a digest of the processes that it shares memory with already
        bool has_tuning_file;     ///< the first rank's counts
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
    std::vector<std::uint64_t> processes_;  ///< those of the digest on its card
    std::vector<Card> cards_;
    std::vector<char> content_;  ///< has each rank found all that it should? Second round
    bool second_ = false;
    Gathering gathering_;
    EndpointTable endpoint_table_;
};

}  // namespace carpool::mpi
