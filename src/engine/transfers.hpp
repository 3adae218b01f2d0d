// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/transports.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// The messages of one schedule, each by the transport that reaches its peer. No function here
/// waits; a start and a test allocate nothing.
class Transfers {
public:
    Transfers() = default;
    /// @param list  its transfers outlive this object
    Transfers(const Transports& transports, const TransferList& list);

    /// Must be called after the transfers have been filled with other memory
    /// (Transport::Messages::filled).
    void filled() {
        for (const auto& part : parts_) part.messages->filled();
    }

    /// Posts all receives.
    /// @param tag  the tag of this start
    /// @pre none is under way
    void post(int tag) {
        for (const auto& part : parts_) part.messages->post(tag);
    }

    /// Assembles a send and lets it leave. @pre post
    void launch(std::size_t send) {
        const auto [part, number] = number_of(send);
        parts_[part].messages->launch(number);
    }

    /// The places of those of the first `count` receives, in the order of watching, that have ended
    /// since the last call.
    /// @param ended  has room for all
    std::span<const int> test_some(int count, std::span<int> ended);

    /// Whether all receives at the places first .. end - 1 have ended.
    bool test_receives(int first, int end);

    /// Whether the receives from a place on, and all sends, have ended.
    bool test_rest(int first);

    /// Whether other ranks depend on this process to go on testing.
    bool needs_tests() const { return needs_tests_; }

    SharedUse shared_use() const;

    /// Visits the ranks from which something is missing or, if there are none, the ranks to which
    /// something has not left; some perhaps repeatedly.
    void visit_awaited(const base::RankVisitor& visit) const;

    /// Gives up what is under way: nothing more is written to the memory of receives. Sends that
    /// nobody receives may still read theirs.
    void withdraw();

private:
    /// The messages of one transport.
    struct Part {
        std::unique_ptr<Transport::Messages> messages;
        std::vector<int> places =
            {};  ///< the places of its receives among all, in the order of watching
        std::vector<int> sources = {};
        std::vector<int> targets = {};

        int receives() const { return static_cast<int>(sources.size()); }
        int all() const { return receives() + static_cast<int>(targets.size()); }
        int places_before(int place) const;
    };

    /// The part of a send, and its number among the sends of that part.
    struct Number {
        std::size_t part;
        std::size_t number;
    };
    using Numbers = std::vector<Number>;

    Number number_of(std::size_t send) const {
        return parts_.size() == 1 ? Number{0, send} : sends_[send];
    }

    struct Split;

    static Part part_of(const Transport& transport, TransferList list, std::vector<int> places);

    std::vector<Part> parts_;
    Numbers sends_;  // empty if there is only one part
    bool needs_tests_ = false;
};

}  // namespace carpool::engine
