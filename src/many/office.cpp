#include "many/office.hpp"

#include "engine/activity.hpp"

#include <algorithm>
#include <cmath>

namespace carpool::many {
namespace {

/// Before anything is known: few neighbors, short parcels.
Account guessed(int ranks) {
    const auto degree = static_cast<std::int64_t>(std::sqrt(ranks));
    return {degree, 64 * degree};
}

}  // namespace

void Office::open(const std::shared_ptr<mpi::Lane>& lane, MPI_Comm comm) {
    for (int i = 0; i < 4 * most_open; ++i)
        tags_.emplace_back(lane, comm, &engine::Activity::progress);
}

void Office::agreed(const Settings& settings, double ranks_per_core) {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
    ranks_per_core_ = ranks_per_core;
}

void Office::failed(const mpi::Error& error) {
    const std::lock_guard lock(mutex_);
    failure_ = error;
}

bool Office::may_begin(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    if (failure_) throw mpi::Error(*failure_);
    return settings_ && number < all_ended_before_ + most_open;
}

Tags Office::tags(std::int64_t number) const {
    const auto first = static_cast<std::size_t>(number % (2 * most_open) * 2);
    return {tags_[first].value(), tags_[first + 1].value()};
}

Way Office::way(std::int64_t number, int ranks) {
    const std::lock_guard lock(mutex_);
    const auto known = number - most_open;
    const auto account =
        known < 0 ? guessed(ranks) : accounts_[static_cast<std::size_t>(known % (2 * most_open))];
    if (!chosen_ || chosen_->first != account)
        chosen_ = {account, settings_->way_for(account, ranks, ranks_per_core_)};
    return chosen_->second;
}

void Office::break_off(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    static_cast<void>(left_[static_cast<std::size_t>(number % (2 * most_open))].release());
    if (!failure_)
        failure_.emplace(MPI_ERR_OTHER,
                         "an exchange before it on comm has broken off on this rank");
}

Berth& Office::berth(std::int64_t number, const Way& way, const mpi::Lane& lane) {
    const std::lock_guard lock(mutex_);
    auto& left = left_[static_cast<std::size_t>(number % (2 * most_open))];
    if (!left || left->way != way) {
        auto course = way.kind == Way::Kind::star
                          ? routing::star_course(lane.rank(), lane.size())
                          : routing::digit_course(lane.rank(), lane.size(), way.factors);
        left.reset(new Left{way, {lane, tags(number).messages, std::move(course)}});
    }
    return left->berth;
}

void Office::end(std::int64_t number, const Account& account) {
    const std::lock_guard lock(mutex_);
    accounts_[static_cast<std::size_t>(number % (2 * most_open))] = account;
    ended_.insert(number);
    while (ended_.erase(all_ended_before_) > 0) ++all_ended_before_;
}

}  // namespace carpool::many
