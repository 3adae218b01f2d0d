// SPDX-License-Identifier: MIT
// The queue of unexpected messages against a list: an input is a row of calls.

#include "base/expects.hpp"
#include "bytes.hpp"
#include "fuzz.hpp"
#include "shared/unexpected_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace carpool::shared;

namespace {

class Calls {
public:
    explicit Calls(const std::string& input) : bytes_(input) {}

    void run() {
        while (!bytes_.empty()) one();
        compare();
    }

private:
    using Expected = std::pair<std::uint64_t, Address>;

    void one() {
        const Address address{0, bytes_.one_of(4)};
        switch (bytes_.one_of(4)) {
            case 0:
                return add(address);
            case 1:
                return erase(address);
            case 2:
                return compare();
            default:
                return take(address);
        }
    }

    void add(const Address& address) {
        queue_.add({next_, address, {}});
        list_.emplace_back(next_++, address);
    }

    void take(const Address& address) {
        auto* const found = queue_.find(address);
        const auto first = std::ranges::find(list_, address, &Expected::second);
        CARPOOL_EXPECTS((found == nullptr) == (first == list_.end()));
        if (found == nullptr) return;
        CARPOOL_EXPECTS(found->arrival == first->first, found->arrival, first->first);
        queue_.take(*found);
        list_.erase(first);
    }

    void erase(const Address& address) {
        const auto erased =
            queue_.erase_if([&](const auto& one) { return one.address == address; });
        const auto expected =
            std::erase_if(list_, [&](const auto& one) { return one.second == address; });
        CARPOOL_EXPECTS(erased == expected, erased, expected);
    }

    void compare() {
        const auto waiting = queue_.waiting();
        CARPOOL_EXPECTS(
            std::ranges::equal(waiting, list_, {}, &UnexpectedEnvelope::arrival, &Expected::first));
    }

    fuzz::Bytes bytes_;
    UnexpectedQueue queue_;
    std::vector<Expected> list_;
    std::uint64_t next_ = 0;
};

}  // namespace

void fuzz::read(const std::string& input) { Calls(input).run(); }
