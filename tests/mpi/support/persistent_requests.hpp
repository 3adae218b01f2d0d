// SPDX-License-Identifier: MIT
#pragma once

#include "bundleable_requests.hpp"
#include "collective_checks.hpp"
#include "random_halo.hpp"

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
class PersistentRequests {
public:
    /// @param shared  in the same state on all ranks @param own  not so
    PersistentRequests(std::mt19937& shared, std::mt19937& own)
        : shared_(shared), own_(own), bundleable_(std::make_unique<BundleableRequests>(shared)) {}
    PersistentRequests(const PersistentRequests&) = delete;
    PersistentRequests& operator=(const PersistentRequests&) = delete;
    ~PersistentRequests() { clear(); }

    /// Makes a request, in the place of another one if there are many.
    void renew() {
        if (shared_() % 8 == 0) bundleable_ = std::make_unique<BundleableRequests>(shared_);
        auto fresh = next();
        if (requests_.size() < most) {
            requests_.push_back(std::move(fresh));
            return;
        }
        auto& old = requests_[shared_() % requests_.size()];
        Carpool_Request_free(&old.request);
        old = std::move(fresh);
    }

    /// Starts about half of the requests and completes them, each rank in orders of its own.
    /// Returns what is wrong. @param starts  is increased by the number of starts
    std::string run(std::int64_t& starts) {
        const int start = static_cast<int>(shared_() % 4);
        std::vector<CheckedRequest*> chosen;
        for (auto& one : requests_)
            if (shared_() % 2 == 0) chosen.push_back(&one);
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
        for (auto& one : requests_) Carpool_Request_free(&one.request);
        requests_.clear();
    }

private:
    static constexpr std::size_t most = 12;

    CheckedRequest next() {
        const auto what = shared_() % 6;
        if (what == 0) return of_random_halo();
        if (what > 1) return bundleable_->next();
        auto members = bundleable_->several(4);
        auto together = bundle(members, bundleable_->comm(), any_info(shared_, true));
        for (auto& member : members) Carpool_Request_free(&member.request);
        return together;
    }

    CheckedRequest of_random_halo() {
        auto drawn = random_halo(shared_);
        const auto cart = cartesian(drawn.torus);
        return halo(std::move(drawn), cart, any_info(shared_, false));
    }

    std::mt19937& shared_;
    std::mt19937& own_;
    std::unique_ptr<BundleableRequests> bundleable_;
    std::vector<CheckedRequest> requests_;
};

}  // namespace carpool::tests
