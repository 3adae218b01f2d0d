#include "many/voyage.hpp"

#include <algorithm>
#include <utility>

namespace carpool::many {

DigitVoyage::DigitVoyage(const Passage& passage, std::vector<int> factors, const Cargo& cargo,
                         std::optional<mpi::Mistake> mistake)
    : lane_(passage.lane),
      tags_(passage.tags),
      factors_(std::move(factors)),
      wire_(lane_),
      hold_(wire_, tags_, lane_.rank(), passage.longest),
      news_{{}, std::move(mistake)} {
    find_hops();
    if (!news_.mistake) {
        news_.account = account_of(cargo, lane_.rank());
        hold_.load(cargo, [this](int target) -> Outgoing& { return message_for(target); });
    }
    leave();
}

void DigitVoyage::find_hops() {
    std::int64_t weight = 1;
    for (const int factor : factors_) {
        first_.push_back(hops_.size());
        weights_.push_back(static_cast<int>(weight));
        const auto end = std::min<std::int64_t>(weight * factor, lane_.size());
        for (auto distance = weight; distance < end; distance += weight)
            hops_.push_back({static_cast<int>(distance), {}});
        missing_.push_back(hops_.size() - first_.back());
        weight = std::min<std::int64_t>(weight * factor, lane_.size());
    }
    first_.push_back(hops_.size());
}

int DigitVoyage::distance_to(int rank) const {
    const int distance = rank - lane_.rank();
    return distance < 0 ? distance + lane_.size() : distance;
}

/// Of the lowest digit that is not zero. @pre the distance is not zero
int DigitVoyage::phase_of(int distance) const {
    int phase = 0;
    while (distance / weights_[static_cast<std::size_t>(phase)] %
               factors_[static_cast<std::size_t>(phase)] ==
           0)
        ++phase;
    return phase;
}

Outgoing& DigitVoyage::message_for(int target) {
    const int distance = distance_to(target);
    const auto phase = static_cast<std::size_t>(phase_of(distance));
    const int digit = distance / weights_[phase] % factors_[phase];
    return hops_[first_[phase] + static_cast<std::size_t>(digit - 1)].message;
}

/// Sends the messages of all phases whose parcels are complete.
void DigitVoyage::leave() {
    while (phase_ < factors_.size() && (phase_ == 0 || missing_[phase_ - 1] == 0)) {
        for (auto hop = first_[phase_]; hop < first_[phase_ + 1]; ++hop) {
            const int target = (lane_.rank() + hops_[hop].distance) % lane_.size();
            wire_.send(target, tags_.messages, hops_[hop].message.sealed(news_));
        }
        ++phase_;
    }
}

bool DigitVoyage::test() {
    while (auto message = wire_.arrived(tags_.messages)) {
        const int distance = (lane_.rank() - message->source + lane_.size()) % lane_.size();
        --missing_[static_cast<std::size_t>(phase_of(distance))];
        hold_.unload(std::move(*message), news_,
                     [this](int target) -> Outgoing& { return message_for(target); });
    }
    leave();
    const bool all_in = std::all_of(missing_.begin(), missing_.end(),
                                    [](std::size_t messages) { return messages == 0; });
    return all_in && hold_.complete() && wire_.all_sent();
}

}  // namespace carpool::many
