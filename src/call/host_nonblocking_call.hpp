// SPDX-License-Identifier: MIT
#pragma once

#include "call/bound_call.hpp"
#include "engine/bind.hpp"
#include "engine/communication.hpp"
#include "engine/mirror.hpp"
#include "engine/request.hpp"
#include "engine/work.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/types/shape.hpp"
#include "topology/graph.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::call {

// On Open MPI only a blocking function can make a communicator without being disturbed by the
// user's collectives, and a nonblocking call must not wait for other ranks. So as long as a
// communicator has no channel there, its nonblocking calls use the host MPI's nonblocking
// collectives.

/// Whether a nonblocking call on that communicator must use the host MPI's collective. The same on
/// all ranks. Local.
bool must_begin_at_host(MPI_Comm comm);

/// A nonblocking collective of the host MPI, with local work before and after it. Freeing the
/// communicator waits for its end, which Open MPI does not do by itself.
class HostNonblockingCall final : public engine::Communication {
public:
    /// Calls MPI's function on the user's communicator, and returns its error code; null if there
    /// is nothing to do. What it captures lives until the end.
    using Begin = std::function<int(MPI_Request*)>;

    HostNonblockingCall(MPI_Comm comm, Begin begin, std::vector<engine::Work> before = {},
                        std::vector<engine::Work> after = {});

    void start(int tag) override;
    bool advance() override;
    bool forwards() const override { return false; }
    bool under_way() const override { return pending_.has_value(); }

private:
    Begin begin_;
    std::vector<engine::Work> before_;
    std::vector<engine::Work> after_;
    MPI_Comm comm_;
    std::shared_ptr<mpi::CommState> state_;
    std::optional<mpi::CommState::PendingOperation> pending_;  // while it is under way
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// A block, and the rank to which it goes or from which it comes.
struct HostBlock {
    topology::Edge edge;
    mpi::Block block;  ///< without a shape if there is none
};

/// An exchange of blocks of any sizes and types between any ranks, in one MPI_Ialltoallw: MPI's
/// neighborhood collectives are wrong on small tori and some graphs.
HostNonblockingCall::Begin exchange_at_host(MPI_Comm comm, std::span<const HostBlock> sent,
                                            std::span<const HostBlock> received);

/// The mirror of buffers of which some lie on a GPU, and whose places it takes; else null.
/// @param reads_recv  receive blocks are read, too
std::unique_ptr<engine::Mirror> mirror_of(engine::Buffers& buffers, bool reads_recv);

/// The communication with the mirror of its buffers; itself if there is none. It begins at the
/// start, for which it waits for the GPU: ranks call a host's collectives in one order.
/// @param comm  of the call
std::unique_ptr<engine::Communication> mirrored(MPI_Comm comm,
                                                std::unique_ptr<engine::Mirror> mirror,
                                                std::unique_ptr<engine::Communication> what);

/// Begins a call whose communication is the host MPI's.
/// @note Collective, but waits for no other rank.
std::unique_ptr<engine::Request> begun_at_host(MPI_Comm comm, std::shared_ptr<BoundCall> call);

}  // namespace carpool::call
