#pragma once

#include "call/keys.hpp"
#include "choose/machine.hpp"
#include "engine/bind_message.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::call {

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
    choose::CostModel model;
    engine::Packing packing = engine::Packing::by_piece;
    Posting posting = Posting::automatic;
    bool measure = false;   ///< candidates are tried at an init, not reckoned
    std::int64_t site = 0;  ///< a digest of the call site's name: inits there try and remember
    Check check = Check::local;

    /// As fits the MPI that runs.
    static Tuning of_this_mpi();

    /// Takes what is set. Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    void take(const Lookup& lookup);

    /// Are candidates tried?
    bool tries() const { return measure || site != 0; }

    /// The key of a call at its site, as Family::site has it. @param call  what is called
    std::vector<std::int64_t> site_of(std::vector<std::int64_t> call) const;

    /// What is forwarded waits longer where ranks share cores; somebody who has given a model
    /// knows. @param ranks_per_core  of the node with most ranks per core
    void heed_oversubscription(double ranks_per_core);
};

/// How a cost that was claimed as the bits of a double reads.
std::string text_of_cost(std::int64_t bits);

/// How a site that was claimed by its digest reads.
std::string text_of_site(std::int64_t site);

/// Is a persistent request to start MPI's persistent ones? @param phases  of its schedule
bool posts_persistent(Posting posting, std::int64_t phases);

}  // namespace carpool::call
