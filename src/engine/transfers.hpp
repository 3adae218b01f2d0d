#pragma once

#include "engine/transports.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// The messages of one schedule, each by the transport that reaches its other end. Nothing here
/// waits; a start and a test allocate nothing.
class Transfers {
public:
    Transfers() = default;
    Transfers(const Transports& transports, TransferList list);

    /// From the next start on, a message has other memory. @pre as Transport::Messages says
    void rebind_receive(std::size_t receive, const Transfer& transfer) {
        const auto [part, number] = number_of(receives_, receive);
        parts_[part].messages->rebind_receive(number, transfer);
    }
    void rebind_send(std::size_t send, const Transfer& transfer) {
        const auto [part, number] = number_of(sends_, send);
        parts_[part].messages->rebind_send(number, transfer);
    }
    void rebound() {
        for (const auto& part : parts_) part.messages->rebound();
    }

    /// Posts all receives. @param tag  of this start @pre none is under way
    void post(int tag) {
        for (const auto& part : parts_) part.messages->post(tag);
    }

    /// Puts a send together and lets it leave. @pre post
    void launch(std::size_t send) {
        const auto [part, number] = number_of(sends_, send);
        parts_[part].messages->launch(number);
    }

    /// Which of the first `count` receives, in the order of watching, have ended since the last
    /// call. @param ended  has room for all
    std::span<const int> test_some(int count, std::span<int> ended);

    /// Have the receives at the places first .. end - 1 all ended?
    bool test_receives(int first, int end);

    /// Have the receives from a place on, and all sends, ended?
    bool test_rest(int first);

    /// Do others depend on it that somebody goes on testing?
    bool needs_tests() const { return needs_tests_; }

    SharedUse shared_use() const;

    /// From which ranks something is missing or, if from none, to which something has not left.
    std::vector<int> awaited() const;

    /// Gives up what is under way: nothing is written any more to where receives would have put it.
    /// Sends that nobody takes may go on reading.
    void withdraw();

private:
    /// What goes by one transport.
    struct Part {
        std::unique_ptr<Transport::Messages> messages;
        std::vector<int> places = {};  ///< in which its receives are watched among all
        std::vector<int> sources = {};
        std::vector<int> targets = {};

        int receives() const { return static_cast<int>(sources.size()); }
        int all() const { return receives() + static_cast<int>(targets.size()); }
        int places_before(int place) const;
    };

    /// A message's part, and its number among the sends or receives of that.
    struct Number {
        std::size_t part;
        std::size_t number;
    };
    using Numbers = std::vector<Number>;

    Number number_of(const Numbers& numbers, std::size_t message) const {
        return parts_.size() == 1 ? Number{0, message} : numbers[message];
    }

    struct Split;

    static Part part_of(const Transport& transport, TransferList list, std::vector<int> places);

    std::vector<Part> parts_;
    Numbers receives_;  // where there are several parts
    Numbers sends_;
    bool needs_tests_ = false;
};

}  // namespace carpool::engine
