// SPDX-License-Identifier: MIT
#pragma once

#include "shared/endpoint.hpp"

#include <algorithm>
#include <vector>

namespace carpool::engine {

/// Sends that could not leave for want of room. Each waits behind others to the same endpoint,
/// since messages must not overtake each other.
template <typename Send>
class WaitingSends {
public:
    void reserve(std::size_t sends) {
        waiting_.reserve(sends);
        full_.reserve(sends);
    }

    /// Attempts the send now, unless others to the endpoint wait; keeps it if it cannot leave.
    template <typename Try>
    void send(Send send, const shared::Endpoint* endpoint, Try attempt) {
        const bool behind = std::any_of(waiting_.begin(), waiting_.end(),
                                        [&](const auto& one) { return one.endpoint == endpoint; });
        if (behind || !attempt(send)) waiting_.push_back({std::move(send), endpoint});
    }

    /// Attempts all waiting sends again.
    template <typename Try>
    void go_on(Try attempt) {
        if (waiting_.empty()) return;
        full_.clear();
        std::erase_if(waiting_, [&](WaitingSend& one) {
            if (std::find(full_.begin(), full_.end(), one.endpoint) != full_.end()) return false;
            if (attempt(one.send)) return true;
            full_.push_back(one.endpoint);
            return false;
        });
    }

    bool empty() const { return waiting_.empty(); }
    void clear() { waiting_.clear(); }

    template <typename Use>
    void for_each(Use use) const {
        for (const auto& one : waiting_) use(one.send);
    }

private:
    struct WaitingSend {
        Send send;
        const shared::Endpoint* endpoint;
    };

    std::vector<WaitingSend> waiting_;
    std::vector<const shared::Endpoint*> full_;  // endpoints to which nothing can be sent now
};

}  // namespace carpool::engine
