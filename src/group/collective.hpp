#pragma once

#include "call/family.hpp"
#include "call/recent.hpp"
#include "collectives/choice.hpp"
#include "group/arguments.hpp"
#include "group/call.hpp"
#include "group/comm_settings.hpp"
#include "group/settings.hpp"
#include "group/unsized_algorithm.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::group {

/// The ordinary collectives ([4]) as a family: candidates are the algorithms of a kind that solve
/// the problem.
class OrdinaryCollective final : public call::Family {
public:
    /// Reads the arguments; what is wrong with them is kept, to be agreed upon.
    OrdinaryCollective(const mpi::CommState& state, const CollectiveArguments& arguments,
                       CollectiveSettings settings, std::optional<mpi::Error> mistake);

    /// It ends once, by these terms; the first asks for them.
    void apply(std::shared_ptr<CommSettings> comm_settings, bool first);

    /// It is to be kept for the same arguments to come.
    void keep_as(arguments::StoredKey key, std::shared_ptr<call::Recent> recent) {
        key_ = std::move(key);
        recent_ = std::move(recent);
    }

    bool asks() const override {
        return comm_settings_ == nullptr || first_ || settings_.check == arguments::Check::all;
    }
    call::Statement statement() const override;

    void agree(const call::VoteResult& vote, const call::Ticket& ticket) override;
    void take_own_word(const call::Ticket& ticket) override;
    std::optional<engine::Steps<void>> planning(const call::CallContext& context) override;

    call::Choosable choosable() override;
    bool has_host_form() const override;
    std::unique_ptr<engine::Communication> at_host(MPI_Comm comm, call::HostUse use) const override;

    call::Written write(std::size_t candidate) override;

    engine::Summary summary(std::size_t candidate, const choose::Load& load) const override;
    call::BindingParts parts(std::size_t candidate, schedule::Schedule& schedule,
                             call::BoundCall& bound, std::optional<int> tag) const override;
    std::optional<mpi::CallCode> code(std::size_t candidate) const override;
    void keep(const std::shared_ptr<call::BoundCall>& bound) override;

private:
    engine::Steps<void> planned(const mpi::CommState& state, int tag);
    choose::Machine machine() const;
    void check_algorithm() const;
    void apply_state(const mpi::CommState& state);
    mpi::Tally own_tally() const;
    void conclude(const mpi::Tally& tally);
    std::int64_t longest_combined() const;
    void find_unsized(const collectives::Algorithm* asked_for);
    bool is_measured() const;
    choose::PastChoices::Key key() const;
    std::optional<KnownToAll> counted() const;
    bool worth_measuring() const;
    bool host_call_fits() const;
    std::vector<choose::Candidate> candidates();
    double ranks_per_core() const;
    const UnsizedAlgorithm* unsized_algorithm(std::size_t candidate) const;

    int rank_;
    CollectiveArguments arguments_;  ///< as long as the user is in the call: the user's arrays
    CollectiveSettings settings_;
    std::optional<KnownToAll> known_;
    std::shared_ptr<CheckedCollective> call_;
    std::optional<mpi::Error> mistake_;
    std::shared_ptr<CommSettings> comm_settings_;  ///< of a call that ends once
    bool first_ = false;                           ///< it asks for them
    bool pairs_know_ = false;  ///< sizes are known only to those whose messages they are
    arguments::StoredKey key_;
    std::shared_ptr<call::Recent> recent_;  ///< where it is kept, unless null

    mpi::Tally tally_;                                       ///< of all ranks
    collectives::Problem choosable_;                         ///< the problem as all ranks see it
    collectives::Problem rounded_;                           ///< that by which they choose
    std::vector<const collectives::Algorithm*> algorithms_;  ///< the candidates
    std::span<const UnsizedAlgorithm> unsized_;  ///< the last of these, where only pairs know sizes
    bool passes_as_asked_ = false;               ///< the only one
};

}  // namespace carpool::group
