// SPDX-License-Identifier: MIT
#include "sparse/protocol.hpp"

#include <utility>

namespace carpool::sparse {
namespace {

using routing::PartnerSchedule;

std::vector<std::size_t> messages_to_come(const PartnerSchedule& schedule) {
    std::vector<std::size_t> messages;
    for (const auto& phase : schedule.phases) messages.push_back(phase.sources.size());
    return messages;
}

std::size_t messages_to_send(const PartnerSchedule& schedule) {
    std::size_t messages = 0;
    for (const auto& phase : schedule.phases) messages += phase.targets.size();
    return messages;
}

/// The phase in which a partner's message arrives.
std::size_t phase_of(const PartnerSchedule& schedule, std::size_t partner) {
    std::size_t phase = 0;
    while (partner >= schedule.phases[phase].sources.size())
        partner -= schedule.phases[phase++].sources.size();
    return phase;
}

}  // namespace

PartnerProtocol::PartnerProtocol(const ExchangeContext& context, PartnerState& partner_state,
                                 const SendList& send_list, std::optional<mpi::Mistake> mistake)
    : schedule_(partner_state.schedule),
      receives_(partner_state.receives),
      pending_(context.messages),
      sorter_(pending_, context.tags, context.state, context.longest),
      piggyback_{{}, std::move(mistake)},
      messages_(messages_to_send(schedule_)),
      missing_(messages_to_come(schedule_)) {
    receives_.expect();
    if (!piggyback_.mistake) {
        piggyback_.demand = demand_of(send_list, context.state.rank());
        sorter_.load(send_list, message_for());
    }
    leave();
}

std::function<OutgoingParcels&(int)> PartnerProtocol::message_for() {
    return
        [this](int target) -> OutgoingParcels& { return messages_[schedule_.message_for(target)]; };
}

/// Sends the messages of all phases whose parcels are complete.
void PartnerProtocol::leave() {
    while (phase_ < schedule_.phases.size() && (phase_ == 0 || missing_[phase_ - 1] == 0))
        for (const int target : schedule_.phases[phase_++].targets)
            receives_.send(pending_, target, messages_[sent_++].sealed(piggyback_));
}

/// Each test also advances sends that wait for free memory, since partners may wait for them.
bool PartnerProtocol::test() {
    while (auto come = receives_.completed()) {
        --missing_[phase_of(schedule_, come->partner)];
        sorter_.unload(std::move(come->message), piggyback_, message_for());
        leave();
    }
    const bool all_sent = pending_.all_sent();
    return phase_ == schedule_.phases.size() && missing_.back() == 0 && sorter_.complete() &&
           all_sent;
}

}  // namespace carpool::sparse
