// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/choice_policy.hpp"
#include "arguments/claimed_settings.hpp"
#include "arguments/keys.hpp"
#include "choose/machine.hpp"
#include "choose/usual_costs.hpp"
#include "engine/bind_message.hpp"
#include "engine/exchange.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::arguments {

/// How a persistent request of Carpool's posts messages in the host MPI.
enum class PostingMode {
    automatic,   ///< persistent where blocks are forwarded, else immediate
    persistent,  ///< MPI_Start of requests made at init
    immediate,   ///< MPI_Isend and MPI_Irecv
};

/// How mistakes in blocking and nonblocking calls are found.
enum class Check {
    local,  ///< by each rank, in its own arguments and the messages that it receives
    all,    ///< by all ranks together, before any message, as in an _init
};

/// The settings of all collectives, from carpool_* info keys and CARPOOL_* environment variables.
struct Tuning {
    choose::MessageUse work;
    choose::CostModel model;  ///< between the ranks farthest from each other
    choose::CostModel within_node = model;
    double copy_per_byte = choose::usual_copy_per_end;
    double sum_per_byte = choose::Costs{}.sum_per_byte;
    std::shared_ptr<const topology::Nodes> nodes = nullptr;  ///< after apply(); null for one
    bool costs_given = false;                                ///< by the user
    engine::Packing packing = engine::Packing::automatic;
    PostingMode posting = PostingMode::automatic;
    engine::TransportChoice transport = engine::TransportChoice::automatic;
    bool sums = false;  ///< adds numbers that may round
    std::optional<ChoicePolicy> choice = {};
    Check check = Check::local;

    /// The default settings for the host MPI.
    static Tuning of_this_mpi(choose::MessageUse work);

    /// Takes over all keys that are set. Throws MPI_ERR_INFO_VALUE for a value that is not
    /// understood.
    void take(const Lookup& lookup);

    /// A user who gives costs wants these to choose, unless carpool_choice is set.
    ChoicePolicy choice_policy() const {
        return choice.value_or(costs_given ? ChoicePolicy::model : ChoicePolicy::automatic);
    }

    /// Whether the library may choose the transport of messages.
    bool either_transport() const { return transport == engine::TransportChoice::automatic; }

    /// The costs, which must be the same on all ranks. @param where  where they are set
    std::vector<ClaimedSetting> claimed_costs(const char* where = in_either) const;

    ClaimedSetting claimed_transport() const;
    ClaimedSetting claimed_check() const;
    ClaimedSetting claimed_choice() const;

    /// How messages are posted and watched. @param tag  the tag of all starts, if they share one
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const;

    /// Takes the usual costs between the ranks of a communicator, unless the user has given others.
    void apply(const mpi::CommState& state);

    /// Adapts the costs, unless the user has given them: blocks that are forwarded wait longer
    /// where ranks share cores.
    /// @param ranks_per_core  on the node with the most ranks per core
    void apply_shared_cores(double ranks_per_core);

    /// The same for messages that cost little, by choose::sharing_cores().
    void apply_core_sharing(double ranks_per_core);

    /// The machine with these costs.
    choose::Machine machine(double ranks_per_core = 1) const {
        return {choose::costs_of(work, within_node, model, copy_per_byte, sum_per_byte), nodes,
                ranks_per_core};
    }

private:
    void take_costs(const Lookup& lookup);
};

}  // namespace carpool::arguments
