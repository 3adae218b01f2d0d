// SPDX-License-Identifier: MIT
#include "routing/itinerary.hpp"

#include <algorithm>
#include <tuple>

namespace carpool::routing {
namespace {

using Ride = Itinerary::Ride;

bool before(const Ride& a, const Ride& b) {
    return std::tie(a.phase, a.peer) < std::tie(b.phase, b.peer);
}

bool same(const Ride& a, const Ride& b) { return a.phase == b.phase && a.peer == b.peer; }

/// Blocks are mostly added ride by ride, so only the last ride is looked at; sort() merges the
/// others.
void board(std::vector<Ride>& rides, int phase, int peer, int stop) {
    if (rides.empty() || rides.back().phase != phase || rides.back().peer != peer)
        rides.push_back({phase, peer, {}});
    rides.back().stops.push_back(stop);
}

/// Sorts the rides and merges those of one phase and peer, with their stops in the order of
/// addition.
void put_in_order(std::vector<Ride>& rides) {
    const auto not_before = [](const Ride& a, const Ride& b) { return !before(a, b); };
    if (std::adjacent_find(rides.begin(), rides.end(), not_before) == rides.end()) return;
    std::stable_sort(rides.begin(), rides.end(), before);
    std::vector<Ride> merged;
    for (auto& ride : rides) {
        if (merged.empty() || !same(merged.back(), ride)) {
            merged.push_back(std::move(ride));
            continue;
        }
        auto& stops = merged.back().stops;
        stops.insert(stops.end(), ride.stops.begin(), ride.stops.end());
    }
    rides = std::move(merged);
}

}  // namespace

void Itinerary::send(int phase, int peer, int stop) { board(sends_, phase, peer, stop); }

int Itinerary::receive(int phase, int peer, int label) {
    const int stop = stops();
    arrival_.push_back(phase);
    label_.push_back(label);
    bytes_.push_back(0);
    board(receives_, phase, peer, stop);
    return stop;
}

int Itinerary::phases() const {
    int last = -1;
    for (const auto* rides : {&sends_, &receives_})
        if (!rides->empty()) last = std::max(last, rides->back().phase);
    return last + 1;
}

std::int64_t Itinerary::blocks_sent() const {
    std::int64_t sum = 0;
    for (const auto& ride : sends_) sum += static_cast<std::int64_t>(ride.stops.size());
    return sum;
}

std::int64_t Itinerary::bytes_in(std::span<const Ride> rides) const {
    std::int64_t sum = 0;
    for (const auto& ride : rides)
        for (const int stop : ride.stops) sum += bytes(stop);
    return sum;
}

void Itinerary::sort() {
    put_in_order(sends_);
    put_in_order(receives_);
}

}  // namespace carpool::routing
