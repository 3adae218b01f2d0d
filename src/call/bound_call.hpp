// SPDX-License-Identifier: MIT
#pragma once

#include "agree/collective_buffers.hpp"
#include "arguments/block_tally.hpp"
#include "base/expects.hpp"
#include "engine/bind.hpp"
#include "engine/exchange.hpp"
#include "engine/mirrored_communication.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/comm_state.hpp"
#include "report/timed_communication.hpp"
#include "schedule/schedule.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::call {

/// The schedule and buffers from which a request was bound: a bundle binds them again, with others.
struct Blueprint {
    schedule::Schedule schedule;
    engine::Buffers buffers;
};

/// A call planned and bound, with the memory that it needs.
struct BoundCall : engine::ReadyCommunication {
    ~BoundCall() override { communication.reset(); }  // before its memory

    /// Must be called before the call is filled with these blocks: a report lists it by their size
    /// from now on.
    void note_size(const std::vector<mpi::Block>& send, const std::vector<mpi::Block>& recv) const {
        if (timed != nullptr) timed->take_size(arguments::size_for_report(send, recv));
    }

    /// Whether no GPU works on its mirror, if it has one.
    bool may_be_filled() const { return mirrored == nullptr || mirrored->mirror().is_idle(); }

    /// The buffers to fill the exchange with: their mirror, if the call has one, else these.
    const engine::Buffers& filled_with(const engine::Buffers& buffers) const {
        CARPOOL_EXPECTS((mirrored != nullptr) == engine::Mirror::is_needed(buffers));
        if (mirrored == nullptr) return buffers;
        mirrored->mirror().become(buffers);
        return mirrored->mirror().buffers();
    }

    /// Must be called before it starts again: takes the stream that its communicator has now.
    void take_stream() const {
        if (mirrored != nullptr) mirrored->set_stream(state->stream());
    }

    void set_stream(device::Stream stream) override {
        if (mirrored != nullptr) mirrored->set_stream(stream);
    }

    engine::Summary latest_summary() const override {
        auto latest = summary;
        if (exchange != nullptr) latest.shared = exchange->shared_use();
        return latest;
    }

    std::shared_ptr<mpi::CommState> state;
    /// What its family keeps with it: the arguments that it has read, or its filler.
    std::shared_ptr<void> read;
    agree::CollectiveMemory memory;
    engine::Exchange* exchange = nullptr;  ///< within the communication; null if there is none
    /// Within the communication, too; null if no buffer lies on a GPU.
    engine::MirroredCommunication* mirrored = nullptr;
    report::TimedCommunication* timed = nullptr;  ///< its communication, if a report is wanted
    std::size_t candidate = 0;                    ///< the identity of its candidate
    std::shared_ptr<BoundCall> ours = {};  ///< our call, if this is the host MPI's; for bundles
    int tag = 0;                           ///< the tag of all starts, if it is persistent
    std::uint64_t identity = 0;            ///< identifies the _init: unique, the same on all ranks
    std::optional<Blueprint> blueprint;    ///< if it is persistent and has a schedule
};

/// Whether this thread alone holds the call. If so, it sees all that another one has done with it.
inline bool is_unused(const std::shared_ptr<BoundCall>& call) {
    const bool unused = call.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire);
    return unused;
}

}  // namespace carpool::call
