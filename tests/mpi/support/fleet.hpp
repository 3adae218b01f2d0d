// SPDX-License-Identifier: MIT
#pragma once

#include "collective_trial.hpp"
#include "random_halo.hpp"
#include "station.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// Persistent requests of several families that live for a while, longer than their communicators.
class Fleet {
public:
    /// @param shared  in the same state on all ranks @param own  not so
    Fleet(std::mt19937& shared, std::mt19937& own)
        : shared_(shared), own_(own), station_(std::make_unique<Station>(shared)) {}
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;
    ~Fleet() { clear(); }

    /// Makes a request, in the place of another one if there are many.
    void renew() {
        if (shared_() % 8 == 0) station_ = std::make_unique<Station>(shared_);
        auto fresh = next();
        if (passengers_.size() < most) {
            passengers_.push_back(std::move(fresh));
            return;
        }
        auto& old = passengers_[shared_() % passengers_.size()];
        Carpool_Request_free(&old.request);
        old = std::move(fresh);
    }

    /// Starts about half of the requests and completes them, each rank in orders of its own.
    /// Returns what is wrong. @param starts  is increased by the number of starts
    std::string run(std::int64_t& starts) {
        const int start = static_cast<int>(shared_() % 4);
        std::vector<Passenger*> chosen;
        for (auto& passenger : passengers_)
            if (shared_() % 2 == 0) chosen.push_back(&passenger);
        starts += static_cast<std::int64_t>(chosen.size());
        for (auto* one : chosen) one->prepare(start);
        std::shuffle(chosen.begin(), chosen.end(), own_);
        std::string wrong;
        for (auto* one : chosen)
            if (Carpool_Start(&one->request) != MPI_SUCCESS) wrong += "a start failed; ";
        std::shuffle(chosen.begin(), chosen.end(), own_);
        for (auto* one : chosen)
            if (completed(one->request, static_cast<int>(own_() % 4)) != MPI_SUCCESS)
                wrong += "a start was not completed; ";
        for (auto* one : chosen) wrong += one->fault();
        return wrong;
    }

    void clear() {
        for (auto& passenger : passengers_) Carpool_Request_free(&passenger.request);
        passengers_.clear();
    }

private:
    static constexpr std::size_t most = 12;

    Passenger next() {
        const auto what = shared_() % 6;
        if (what == 0) return of_random_halo();
        if (what > 1) return station_->next();
        auto members = station_->several(4);
        auto together = bundle(members, station_->comm(), any_info(shared_, true));
        for (auto& member : members) Carpool_Request_free(&member.request);
        return together;
    }

    Passenger of_random_halo() {
        auto drawn = random_halo(shared_);
        const auto cart = cartesian(drawn.torus);
        return halo(std::move(drawn), cart, any_info(shared_, false));
    }

    std::mt19937& shared_;
    std::mt19937& own_;
    std::unique_ptr<Station> station_;
    std::vector<Passenger> passengers_;
};

}  // namespace carpool::tests
