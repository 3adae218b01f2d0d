#pragma once

#include "arguments/choice.hpp"
#include "arguments/claimed_settings.hpp"
#include "arguments/keys.hpp"
#include "choose/machine.hpp"
#include "choose/usual_costs.hpp"
#include "engine/bind_message.hpp"
#include "engine/exchange.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace carpool::arguments {

/// What a persistent request of ours starts underneath.
enum class Posting {
    automatic,   ///< persistent where blocks are forwarded, else immediate
    persistent,  ///< MPI_Start of requests made at init
    immediate,   ///< MPI_Isend and MPI_Irecv
};

/// Who finds a mistake in a call that ends once.
enum class Check {
    local,  ///< a rank in its own arguments, and in the messages that come
    all,    ///< all ranks together, before any message, as at an init
};

/// What all collectives may be told by carpool_* info keys and CARPOOL_* environment variables.
struct Tuning {
    choose::MessageUse work;
    choose::CostModel model;  ///< between ranks as far from each other as there are
    choose::CostModel within_node = model;
    std::shared_ptr<const topology::Nodes> nodes = nullptr;  ///< once applied; null for one
    bool costs_given = false;                                ///< by the user
    engine::Packing packing = engine::Packing::automatic;
    Posting posting = Posting::automatic;
    engine::TransportChoice transport = engine::TransportChoice::automatic;
    bool sums = false;  ///< of numbers that may round
    std::optional<ChosenBy> choice = {};
    Check check = Check::local;

    /// As fits the MPI that runs.
    static Tuning of_this_mpi(choose::MessageUse work);

    /// Takes what is set. Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    void take(const Lookup& lookup);

    /// Who gives costs wants these to choose.
    ChosenBy chosen_by() const {
        return choice.value_or(costs_given ? ChosenBy::model : ChosenBy::automatic);
    }

    /// May the transport of messages be chosen?
    bool either_transport() const { return transport == engine::TransportChoice::automatic; }

    /// What all ranks must say alike of its costs. @param where  these are set
    std::vector<ClaimedSetting> claimed_costs(const char* where = in_either) const;

    ClaimedSetting claimed_transport() const;
    ClaimedSetting claimed_check() const;
    ClaimedSetting claimed_choice() const;

    /// How messages are posted and watched. @param tag  of all starts, if they share one
    engine::Manner manner(const engine::Summary& summary, std::optional<int> tag) const;

    /// Takes the costs usual between the ranks of a communicator, unless the user has given others.
    void apply(const mpi::CommState& state);

    /// What is forwarded waits longer where ranks share cores, unless the user has given costs.
    /// @param ranks_per_core  of the node with most ranks per core
    void apply_shared_cores(double ranks_per_core);

    /// The same, of messages that cost little.
    void apply_turns(double ranks_per_core);

    /// What these costs are reckoned for.
    choose::Machine machine(double ranks_per_core = 1) const {
        return {within_node, model, nodes, ranks_per_core};
    }

private:
    void take_costs(const Lookup& lookup);
};

}  // namespace carpool::arguments
