#pragma once

#include "agree/joint_balance.hpp"
#include "agree/node_barrier.hpp"
#include "call/context.hpp"
#include "engine/communication.hpp"
#include "engine/steps.hpp"
#include "mpi/call_code.hpp"
#include "mpi/error.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// The exchange of a call whose edges no other rank knows yet, and beside it a sum by which all
/// ranks find out whether both ends of each say the same. Where they do not, what has come is worth
/// nothing: all throw the same.
class Confirmed final : public engine::Communication {
public:
    /// @param ends  of edges of the topology
    /// @param code  of the call, by whose tags the exchange goes
    /// @param barrier  of the communicator
    Confirmed(std::unique_ptr<engine::Communication> exchange, std::shared_ptr<Topology> topology,
              EdgeEnds ends, mpi::CallCode code, const call::CallContext& context,
              std::shared_ptr<agree::NodeBarrier> barrier);

    void start(int tag) override;
    bool advance() override;
    void withdraw() override;
    bool under_way() const override { return exchange_->under_way() || balance_.under_way(); }
    std::vector<int> awaited() const override;

private:
    void look_into_difference();

    std::unique_ptr<engine::Communication> exchange_;
    std::shared_ptr<Topology> topology_;  // with the edges
    EdgeEnds ends_;
    mpi::CallCode code_;
    call::CallContext context_;  // of the start
    agree::JointBalance balance_;
    bool exchanged_ = false;
    std::optional<mpi::Error> failure_;              // of the exchange
    std::optional<engine::Steps<void>> difference_;  // which all ranks look for, once they know
};

}  // namespace carpool::neighbor
