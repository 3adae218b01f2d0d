#include "group/plans.hpp"

#include <cstdint>
#include <utility>

namespace carpool::group {

Plans::Plans(std::vector<collectives::Choice> choices, const collectives::Problem& problem,
             const mpi::CommState& state, int tag)
    : choices_(std::move(choices)), problem_(problem), state_(state), tag_(tag) {}

bool Plans::must_learn(const collectives::Choice& choice) const {
    return choice.algorithm->forwards && problem_.varies();
}

void Plans::learn(const collectives::Choice& choice) {
    auto plan = plan_of(choice, problem_.with_equal_blocks(sizeof(std::int64_t)), state_.rank());
    learning_.emplace(state_, std::move(plan.schedule), problem_.sent, problem_.received);
    learning_->start(tag_);
}

bool Plans::test() {
    while (plans_.size() < choices_.size()) {
        const auto& choice = choices_[plans_.size()];
        if (!must_learn(choice)) {
            plans_.push_back(plan_of(choice, problem_, state_.rank()));
            continue;
        }
        if (!learning_) learn(choice);
        if (!learning_->test()) return false;
        plans_.push_back({choice, learning_->sized()});
        learning_.reset();
    }
    return true;
}

}  // namespace carpool::group
