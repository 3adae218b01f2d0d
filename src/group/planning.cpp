#include "group/planning.hpp"

#include "collectives/choice.hpp"
#include "group/binding.hpp"
#include "group/crowding.hpp"
#include "group/measure.hpp"

#include <array>
#include <utility>

namespace carpool::group {
namespace {

mpi::Tally tally_of(const Intent& intent) {
    mpi::Tally tally;
    tally.crowding.add(crowding());
    if (!intent.mistake) tally.balance = intent.call->balance;
    return tally;
}

}  // namespace

Planning::Planning(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent)
    : lane_(std::move(lane)),
      tag_(tag),
      intent_(std::move(intent)),
      agreement_(comm, std::move(intent_.claims), intent_.mistake, tally_of(intent_)) {}

bool Planning::agreed() {
    if (!agreement_.test()) return false;
    agreement_.conclude();
    if (agreement_.tally().balance != 0)
        throw mpi::Error(MPI_ERR_ARG,
                         "the bytes that some rank sends to another are not those that it expects: "
                         "counts and datatypes of both must say the same");
    ranks_per_core_ = ranks_per_core(agreement_.tally().crowding.most);
    if (intent_.call->unknown_sizes)
        learning_ = std::make_unique<Learning>(*lane_, tag_, intent_.call->own_bytes);
    return true;
}

bool Planning::learnt() {
    if (!learning_) return true;
    if (!learning_->advance()) return false;
    intent_.call->problem.bytes = learning_->sizes();
    learning_.reset();
    return true;
}

bool Planning::chosen() {
    const auto& settings = intent_.settings;
    if (measurement_) {
        if (!measurement_->advance()) return false;
        choice_ = measurement_->fastest();
        measurement_.reset();
        return true;
    }
    choice_ = settings.algorithm;
    if (choice_ != nullptr) return true;
    auto candidates =
        by_cost({settings.model, ranks_per_core_}, intent_.call->problem, lane_->rank());
    choice_ = candidates.front();
    if (!settings.measure || candidates.size() == 1) return true;
    measurement_ =
        std::make_unique<Measurement>(std::move(candidates), *intent_.call, settings, *lane_, tag_);
    return false;
}

std::shared_ptr<engine::Prepared> Planning::advance() {
    constexpr std::array<Step, 4> steps{&Planning::has_lane, &Planning::agreed, &Planning::learnt,
                                        &Planning::chosen};
    for (; step_ < steps.size(); ++step_)
        if (!(this->*steps[step_])()) return nullptr;
    return bound(std::move(intent_.call), *choice_, intent_.settings, *lane_, tag_);
}

std::shared_ptr<engine::Prepared> Planning::finish() {
    while (true)
        if (auto result = advance()) return result;
}

}  // namespace carpool::group
