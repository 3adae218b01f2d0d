// SPDX-License-Identifier: MIT
#include "sparse/exchange_sequence.hpp"

#include "base/never_freed.hpp"
#include "engine/activity.hpp"

#include <algorithm>
#include <cmath>

namespace carpool::sparse {
namespace {

/// The demand assumed before any is known: few neighbors, short parcels.
Demand guessed(int ranks) {
    const auto degree = static_cast<std::int64_t>(std::sqrt(ranks));
    return {degree, 64 * degree};
}

}  // namespace

void ExchangeSequence::open(const std::shared_ptr<mpi::CommState>& state, MPI_Comm comm) {
    for (int i = 0; i < 4 * most_open; ++i)
        tags_.emplace_back(state, comm, &engine::Activity::progress);
    check_ = SparseSettings::check_in_environment();
}

void ExchangeSequence::agreed(const SparseSettings& settings, double ranks_per_core) {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
    ranks_per_core_ = ranks_per_core;
}

void ExchangeSequence::failed(const mpi::Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error;
}

std::optional<mpi::Error> ExchangeSequence::failure() {
    const std::lock_guard lock(mutex_);
    return failure_;
}

bool ExchangeSequence::may_begin(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    if (failure_) throw mpi::Error(*failure_);
    return number == 0 || (settings_ && number < all_ended_before_ + most_open);
}

std::optional<ExchangeSequence::Kept> ExchangeSequence::kept_for_next() {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_ - most_open;
    if (check_ == arguments::Check::all) return std::nullopt;  // all ranks must agree first
    if (failure_ || known < 0 || numbers_ >= all_ended_before_ + most_open) return std::nullopt;
    const auto& demand = demands_[static_cast<std::size_t>(known % (2 * most_open))];
    const auto found = std::ranges::find_if(
        kept_, [&](const Kept& one) { return one.demand == demand && one.bound.use_count() == 1; });
    return found == kept_.end() ? std::nullopt : std::optional(*found);
}

void ExchangeSequence::keep(Kept bound) {
    constexpr std::size_t most_kept = 16;
    std::optional<Kept> oldest;  // destroyed outside the lock
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most_kept) {
        oldest = std::move(kept_.front());
        kept_.erase(kept_.begin());
    }
    kept_.push_back(std::move(bound));
}

void ExchangeSequence::on_free() {
    std::vector<Kept> all;  // destroyed outside the lock, too
    const std::lock_guard lock(mutex_);
    all.swap(kept_);
}

Tags ExchangeSequence::tags(std::int64_t number) const {
    const auto first = static_cast<std::size_t>(number % (2 * most_open) * 2);
    return {tags_[first].value(), tags_[first + 1].value()};
}

Demand ExchangeSequence::expected_demand(std::int64_t number, int ranks) {
    const std::lock_guard lock(mutex_);
    const auto known = number - most_open;
    return known < 0 ? guessed(ranks) : demands_[static_cast<std::size_t>(known % (2 * most_open))];
}

void ExchangeSequence::break_off(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    base::NeverFreed::add(
        std::move(inherited_[static_cast<std::size_t>(number % (2 * most_open))]));
    if (!failure_)
        failure_.emplace(MPI_ERR_OTHER, "an earlier exchange on comm has failed on this rank");
}

PartnerState& ExchangeSequence::partner_state(std::int64_t number, const Strategy& strategy,
                                              const mpi::CommState& state) {
    const std::lock_guard lock(mutex_);
    auto& inherited = inherited_[static_cast<std::size_t>(number % (2 * most_open))];
    if (!inherited || inherited->strategy != strategy) {
        auto schedule = strategy.kind == Strategy::Kind::star
                            ? routing::star_partners(state.rank(), state.size())
                            : routing::digit_partners(state.rank(), state.size(), strategy.factors,
                                                      strategy.node);
        inherited.reset(
            new InheritedState{strategy, {state, tags(number).messages, std::move(schedule)}});
    }
    return inherited->partner_state;
}

void ExchangeSequence::end(std::int64_t number, const Demand& demand) {
    const std::lock_guard lock(mutex_);
    demands_[static_cast<std::size_t>(number % (2 * most_open))] = demand;
    const auto place_of = [](std::int64_t one) {
        return static_cast<std::size_t>(one % most_open);
    };
    ended_.set(place_of(number));
    while (ended_.test(place_of(all_ended_before_))) ended_.reset(place_of(all_ended_before_++));
}

}  // namespace carpool::sparse
