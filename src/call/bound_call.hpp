// SPDX-License-Identifier: MIT
#pragma once

#include "agree/collective_buffers.hpp"
#include "arguments/block_tally.hpp"
#include "base/expects.hpp"
#include "engine/bind.hpp"
#include "engine/exchange.hpp"
#include "engine/mirrored.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/comm_state.hpp"
#include "report/timed.hpp"
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
struct BoundCall : engine::Prepared {
    ~BoundCall() override { communication.reset(); }  // before its memory

    /// It is about to be filled with these blocks, by whose size a report lists it from now on.
    void note_size(const std::vector<mpi::Block>& send, const std::vector<mpi::Block>& recv) const {
        if (timed != nullptr) timed->take_size(arguments::size_for_report(send, recv));
    }

    /// Whether no GPU works on its mirror, if it has one.
    bool may_be_filled() const { return mirrored == nullptr || mirrored->mirror().is_idle(); }

    /// What the exchange is to be filled with in place of these buffers: their mirror, if it has
    /// one.
    const engine::Buffers& filled_with(const engine::Buffers& buffers) const {
        CARPOOL_EXPECTS((mirrored != nullptr) == engine::Mirror::is_needed(buffers));
        if (mirrored == nullptr) return buffers;
        mirrored->mirror().become(buffers);
        return mirrored->mirror().buffers();
    }

    /// It is about to start again, in a call that has the stream of its communicator.
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
    /// What its family has read, or fills it with.
    std::shared_ptr<void> read;
    agree::CollectiveMemory memory;
    engine::Exchange* exchange = nullptr;  ///< within the communication; null if there is none
    engine::Mirrored* mirrored = nullptr;  ///< likewise; null if no buffer lies on a GPU
    report::Timed* timed = nullptr;        ///< its communication, if a report is wanted
    std::size_t candidate = 0;             ///< the identity of its candidate
    std::shared_ptr<BoundCall> ours = {};  ///< our call, if this is the host MPI's; for bundles
    int tag = 0;                           ///< the tag of all starts, if it is persistent
    std::uint64_t identity = 0;            ///< identifies the _init: unique, the same on all ranks
    std::optional<Blueprint> blueprint;    ///< if it is persistent and has a schedule
};

/// Whether this thread alone has the call. If so, it sees all that another one has done with it.
inline bool is_unused(const std::shared_ptr<BoundCall>& call) {
    const bool unused = call.use_count() == 1;
    std::atomic_thread_fence(std::memory_order_acquire);
    return unused;
}

}  // namespace carpool::call
