// SPDX-License-Identifier: MIT
#include "call/schedule_writer.hpp"

namespace carpool::call {

/// Writes the next schedule, or begins to learn the sizes for it.
void ScheduleWriter::write() {
    const auto& contender = contenders_[schedules_.size()];
    auto [schedule, unsized] = family_.write(contender.number);
    if (!unsized) {
        schedules_.push_back({contender, std::move(schedule)});
        return;
    }
    learning_.emplace(state_, std::move(schedule), std::move(*unsized));
    learning_->start(tag_);
}

bool ScheduleWriter::test() {
    while (schedules_.size() < contenders_.size()) {
        if (!learning_) {
            write();
            continue;
        }
        if (!learning_->test()) return false;
        schedules_.push_back({contenders_[schedules_.size()], learning_->sized()});
        learning_.reset();
    }
    return true;
}

}  // namespace carpool::call
