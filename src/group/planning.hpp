#pragma once

#include "engine/preparation.hpp"
#include "group/call.hpp"
#include "group/learning.hpp"
#include "group/measure.hpp"
#include "group/settings.hpp"
#include "mpi/agreement.hpp"
#include "mpi/error.hpp"
#include "mpi/lane.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace carpool::group {

/// What a rank brings to an initialisation: a call and settings, or what is wrong with them.
struct Intent {
    std::shared_ptr<Call> call;
    Settings settings;
    std::vector<mpi::Claim> claims;
    std::optional<mpi::Error> mistake;
};

/// Agrees on a call, learns what sizes it needs, plans and binds it.
class Planning : public engine::Preparation {
public:
    /// Posts the agreement. @note Collective over comm, whose lane it is.
    Planning(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent);

    std::shared_ptr<engine::Prepared> advance() override;
    std::shared_ptr<engine::Prepared> finish() override;

private:
    /// What is waited for, one after the other.
    using Step = bool (Planning::*)();

    bool has_lane() { return lane_->ready(); }
    bool agreed();
    bool learnt();
    bool chosen();

    std::shared_ptr<mpi::Lane> lane_;
    int tag_;
    Intent intent_;
    mpi::Agreement agreement_;
    double ranks_per_core_ = 1;
    std::unique_ptr<Learning> learning_;        // of sizes that the root alone knows
    std::unique_ptr<Measurement> measurement_;  // where asked for
    const collectives::Algorithm* choice_ = nullptr;
    std::size_t step_ = 0;
};

}  // namespace carpool::group
