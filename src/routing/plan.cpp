// SPDX-License-Identifier: MIT
#include "routing/plan.hpp"

#include <algorithm>
#include <numeric>

namespace carpool::routing {

void Plan::add_round(int phase, std::span<const int> hop) {
    phase_.push_back(phase);
    hops_.insert(hops_.end(), hop.begin(), hop.end());
    first_move_.push_back(static_cast<int>(from_.size()));
}

int Plan::add_move(int from_stop) {
    from_.push_back(from_stop);
    return stops() - 1;
}

std::vector<int> Plan::least_phase_of_rounds() const {
    std::vector<int> phases_to(static_cast<std::size_t>(stops()), 0);
    std::vector<int> phase_of_round;
    for (int round = 0; round < rounds(); ++round) {
        int before = 0;
        for (int stop = first_stop(round); stop < first_stop(round + 1); ++stop)
            before = std::max(before, phases_to[static_cast<std::size_t>(from(stop))]);
        std::fill(phases_to.begin() + first_stop(round), phases_to.begin() + first_stop(round + 1),
                  before + 1);
        phase_of_round.push_back(before);
    }
    return phase_of_round;
}

std::vector<std::int64_t> Plan::rounds_by_phase() const {
    std::vector<std::int64_t> of_phase;
    for (const int phase : least_phase_of_rounds()) {
        const auto p = static_cast<std::size_t>(phase);
        if (of_phase.size() <= p) of_phase.resize(p + 1, 0);
        ++of_phase[p];
    }
    return of_phase;
}

std::span<const int> Plan::hop(int round) const {
    const auto d = static_cast<std::size_t>(dimensions_);
    return std::span(hops_).subspan(static_cast<std::size_t>(round) * d, d);
}

int Plan::first_stop(int round) const {
    return round == rounds() ? stops() : blocks_ + first_move_[static_cast<std::size_t>(round)];
}

std::vector<int> Plan::block_of_stops() const {
    std::vector<int> block(static_cast<std::size_t>(stops()));
    std::iota(block.begin(), block.begin() + blocks_, 0);
    for (auto stop = static_cast<std::size_t>(blocks_); stop < block.size(); ++stop)
        block[stop] = block[static_cast<std::size_t>(from(static_cast<int>(stop)))];
    return block;
}

std::vector<std::int64_t> Plan::hops_of_blocks() const {
    std::vector<std::int64_t> hops(static_cast<std::size_t>(blocks_), 0);
    const auto block = block_of_stops();
    for (auto stop = hops.size(); stop < block.size(); ++stop)
        ++hops[static_cast<std::size_t>(block[stop])];
    return hops;
}

std::int64_t Plan::volume_by(std::span<const std::int64_t> weights) const {
    if (weights.empty()) return volume();
    const auto hops = hops_of_blocks();
    return std::inner_product(weights.begin(), weights.end(), hops.begin(), std::int64_t{0});
}

std::vector<int> Plan::round_of_stops() const {
    std::vector<int> rounds(static_cast<std::size_t>(stops()), -1);
    for (int round = 0; round < this->rounds(); ++round)
        std::fill(rounds.begin() + first_stop(round), rounds.begin() + first_stop(round + 1),
                  round);
    return rounds;
}

std::vector<int> Plan::way_to_stops() const {
    const auto d = static_cast<std::size_t>(dimensions_);
    std::vector<int> way(static_cast<std::size_t>(stops()) * d, 0);
    for (int round = 0; round < rounds(); ++round) {
        const auto step = hop(round);
        for (int stop = first_stop(round); stop < first_stop(round + 1); ++stop) {
            const int* before = &way[static_cast<std::size_t>(from(stop)) * d];
            int* after = &way[static_cast<std::size_t>(stop) * d];
            std::transform(step.begin(), step.end(), before, after, std::plus<>());
        }
    }
    return way;
}

}  // namespace carpool::routing
