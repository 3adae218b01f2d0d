#pragma once

#include "call/bound_call.hpp"
#include "engine/communication.hpp"
#include "engine/request.hpp"
#include "engine/work.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/shape.hpp"
#include "topology/graph.hpp"

#include <mpi.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::call {

// On Open MPI nothing but a blocking function makes a communicator that the user's collectives do
// not disturb, and a nonblocking call may wait for no other rank. So as long as a communicator has
// no channel there, its nonblocking calls go by MPI's own nonblocking collectives.

/// Must a nonblocking call on that communicator go by MPI's own? Alike on all ranks. Local.
bool must_begin_at_host(MPI_Comm comm);

/// MPI's own nonblocking collective, and what this rank does by itself before and after it. Ends
/// when those before it on the communicator have: so only one of many is tested at a time. Who
/// frees the communicator waits for its end, which Open MPI does not.
class HostBegun final : public engine::Communication {
public:
    /// Calls MPI's function on the user's communicator, and gives its code; null where there is
    /// nothing to do. What it has goes on to live until the end.
    using Begin = std::function<int(MPI_Request*)>;

    HostBegun(MPI_Comm comm, Begin begin, std::vector<engine::Work> before = {},
              std::vector<engine::Work> after = {});
    ~HostBegun() override { own_end_->reached = true; }  // also where it has failed

    void start(int tag) override;
    bool advance() override;
    bool forwards() const override { return false; }
    bool under_way() const override { return pending_.has_value(); }

private:
    /// Of one of these.
    struct End {
        std::atomic<bool> reached = false;
    };
    class Line;

    void end();

    Begin begin_;
    std::vector<engine::Work> before_;
    std::vector<engine::Work> after_;
    std::shared_ptr<mpi::CommState> state_;
    std::optional<mpi::CommState::Pending> pending_;  // while it is under way
    std::shared_ptr<End> own_end_ = std::make_shared<End>();
    std::shared_ptr<const End> before_it_;  // null for none
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A block, and the rank to which it goes or from which it comes.
struct HostBlock {
    topology::Edge edge;
    mpi::Block block;  ///< without a shape for one that there is not
};

/// An exchange of blocks of any sizes and types between any ranks, in one MPI_Ialltoallw: MPI's
/// neighborhood collectives are wrong on small tori and some graphs.
HostBegun::Begin exchange_at_host(MPI_Comm comm, std::span<const HostBlock> sent,
                                  std::span<const HostBlock> received);

/// Begins a call, whose communication is MPI's own. @note Collective, and waits for no other rank.
std::unique_ptr<engine::Request> begun_at_host(MPI_Comm comm, std::shared_ptr<BoundCall> call);

}  // namespace carpool::call
