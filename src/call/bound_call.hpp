#pragma once

#include "agree/collective_buffers.hpp"
#include "call/alike_calls.hpp"
#include "engine/bind.hpp"
#include "engine/exchange.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/size_word.hpp"
#include "schedule/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::call {

/// What was bound: others may bind it again, together with more.
struct Blueprint {
    schedule::Schedule schedule;
    engine::Buffers buffers;
};

/// A call planned and bound, with the memory that it needs.
struct BoundCall : engine::Prepared {
    ~BoundCall() override { communication.reset(); }  // before its memory

    bool can_rebind() const { return exchange != nullptr && exchange->can_rebind(); }

    engine::Summary latest_summary() const override {
        auto latest = summary;
        if (exchange != nullptr) latest.shared = exchange->shared_use();
        return latest;
    }

    std::shared_ptr<mpi::CommState> state;
    /// What its family has read, also memory; its Rebinding where the exchange can be bound again.
    std::shared_ptr<void> read;
    agree::CollectiveMemory memory;
    engine::Exchange* exchange = nullptr;  ///< the communication, if that is an exchange
    std::unique_ptr<mpi::SizeWord> word;   ///< where messages carry one
    std::shared_ptr<AlikeCalls> alike;     ///< of one that ends once, where these are counted
    std::size_t way = 0;                   ///< the identity of the candidate that it goes by
    std::shared_ptr<BoundCall> host = {};  ///< instead, to be called by who waits for this
    std::shared_ptr<BoundCall> ours = {};  ///< what MPI's own stands for: its schedule is bundled
    int tag = 0;                           ///< of all starts, if it is persistent
    std::uint64_t identity = 0;            ///< of its init, alike on all ranks: no other has it
    std::optional<Blueprint> blueprint;    ///< of one that is persistent and has a schedule
};

}  // namespace carpool::call
