// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/operation_claim.hpp"
#include "call/family.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/ghosts/ghost_call.hpp"
#include "neighbor/ghosts/routed_map.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

/// Updates and reductions of ghosts as a family: candidates are the rules that were planned when
/// the map was made. A reduction takes the routes of an update backwards.
class GhostExchange final : public call::Family {
public:
    struct CallInput {
        std::shared_ptr<RoutedMap> map;
        GhostSettings settings;
        CheckedGhostCall call = {};  ///< not read if there is a mistake
        std::optional<mpi::Error> mistake = {};
        bool reduces = false;
        bool persistent = false;
    };

    explicit GhostExchange(CallInput given) : given_(std::move(given)) {}

    bool votes() const override {
        return given_.persistent || settings().check == arguments::Check::all;
    }
    call::Statement statement() const override;
    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;
    void proceed_without_vote(const call::Ticket& ticket) override;

    call::CandidateSet candidate_set() override;
    call::ScheduleDraft write(std::size_t candidate) override;

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    std::optional<mpi::CallCode> code(std::size_t candidate) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    const NeighborSettings& settings() const { return given_.settings.neighbor; }
    mpi::Claim operation() const;
    void apply_settings();
    void find_candidates();
    bool keeps_order() const;
    bool is_kept() const { return !votes(); }
    schedule::Schedule placed(std::size_t candidate) const;

    CallInput given_;
    std::vector<const RoutedMap::RoutedRule*> candidates_;
};

}  // namespace carpool::neighbor
