#pragma once

#include "choose/cost_model.hpp"
#include "engine/bind_message.hpp"
#include "mpi/agreement.hpp"
#include "routing/rule.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// What a persistent request of ours starts underneath.
enum class Posting {
    automatic,   ///< persistent where blocks are forwarded, else immediate
    persistent,  ///< MPI_Start of requests made at init
    immediate,   ///< MPI_Isend and MPI_Irecv
};

/// What the carpool_* info keys and CARPOOL_* environment variables set.
struct Settings {
    const routing::Rule* rule = nullptr;  ///< null for auto
    choose::CostModel model;
    engine::Packing packing = engine::Packing::by_piece;
    Posting posting = Posting::automatic;
    bool assert_matching = false;
    int theta = 4;  ///< common neighbors that make two ranks friends

    static Settings from_environment();

    /// These settings, with those of an info object over them; MPI_INFO_NULL allowed.
    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    Settings with(MPI_Info info) const;

    /// What all ranks must agree on for their schedules to match.
    mpi::Claim claim() const;
};

}  // namespace carpool::neighbor
