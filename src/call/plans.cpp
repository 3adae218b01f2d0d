// SPDX-License-Identifier: MIT
#include "call/plans.hpp"

namespace carpool::call {

/// Writes the next plan, or begins to learn the sizes for it.
void Plans::write() {
    const auto& chosen = chosen_[plans_.size()];
    auto [schedule, unsized] = family_.write(chosen.number);
    if (!unsized) {
        plans_.push_back({chosen, std::move(schedule)});
        return;
    }
    learning_.emplace(state_, std::move(schedule), std::move(*unsized));
    learning_->start(tag_);
}

bool Plans::test() {
    while (plans_.size() < chosen_.size()) {
        if (!learning_) {
            write();
            continue;
        }
        if (!learning_->test()) return false;
        plans_.push_back({chosen_[plans_.size()], learning_->sized()});
        learning_.reset();
    }
    return true;
}

}  // namespace carpool::call
