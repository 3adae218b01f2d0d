#include "many/voyage.hpp"

#include <utility>

namespace carpool::many {
namespace {

using routing::Course;

std::vector<std::size_t> messages_to_come(const Course& course) {
    std::vector<std::size_t> messages;
    for (const auto& phase : course.phases) messages.push_back(phase.sources.size());
    return messages;
}

std::size_t messages_to_send(const Course& course) {
    std::size_t messages = 0;
    for (const auto& phase : course.phases) messages += phase.targets.size();
    return messages;
}

/// In which a partner's message comes.
std::size_t phase_of(const Course& course, std::size_t partner) {
    std::size_t phase = 0;
    while (partner >= course.phases[phase].sources.size())
        partner -= course.phases[phase++].sources.size();
    return phase;
}

}  // namespace

FixedVoyage::FixedVoyage(const Passage& passage, Berth& berth, const Cargo& cargo,
                         std::optional<mpi::Mistake> mistake)
    : course_(berth.course),
      partners_(berth.partners),
      wire_(passage.lane),
      hold_(wire_, passage.tags, passage.lane.rank(), passage.longest),
      news_{{}, std::move(mistake)},
      messages_(messages_to_send(course_)),
      missing_(messages_to_come(course_)) {
    partners_.expect();
    if (!news_.mistake) {
        news_.account = account_of(cargo, passage.lane.rank());
        hold_.load(cargo, message_for());
    }
    leave();
}

std::function<Outgoing&(int)> FixedVoyage::message_for() {
    return [this](int target) -> Outgoing& { return messages_[course_.message_for(target)]; };
}

/// Sends the messages of all phases whose parcels are complete.
void FixedVoyage::leave() {
    while (phase_ < course_.phases.size() && (phase_ == 0 || missing_[phase_ - 1] == 0))
        for (const int target : course_.phases[phase_++].targets)
            partners_.send(wire_, target, messages_[left_++].sealed(news_));
}

bool FixedVoyage::test() {
    while (auto arrival = partners_.arrived()) {
        --missing_[phase_of(course_, arrival->partner)];
        hold_.unload(std::move(arrival->message), news_, message_for());
        leave();
    }
    return phase_ == course_.phases.size() && missing_.back() == 0 && hold_.complete() &&
           wire_.all_sent();
}

}  // namespace carpool::many
