// SPDX-License-Identifier: MIT
// The window of blocking and nonblocking calls: how many are in progress at a time, and in which
// order the others begin.

#include <boost/test/unit_test.hpp>

#include "base/call_window.hpp"
#include "random_source.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_call_window)

namespace {

using carpool::base::CallWindow;

/// Records that its call has begun.
struct Waiter final : CallWindow::Waiter {
    Waiter(std::int64_t t, std::vector<std::int64_t>& b) : number(t), begun(b) {}
    void begin_call() override { begun.push_back(number); }

    std::int64_t number;
    std::vector<std::int64_t>& begun;
};

constexpr int reuse = 16;  // so the window is four calls wide
constexpr std::int64_t width = reuse / 4;

}  // namespace

BOOST_AUTO_TEST_CASE(calls_that_are_passed_over_are_never_active) {
    CallWindow window(reuse);
    for (std::int64_t number = 0; number < 100; ++number) {
        BOOST_TEST(window.is_open());
        BOOST_TEST(window.pass() == number);
        BOOST_TEST(window.begun() == window.numbered());
    }
}

BOOST_AUTO_TEST_CASE(the_oldest_active_call_delays_the_one_beyond_the_window) {
    CallWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t number = 0; number < width; ++number) BOOST_TEST(window.take() == number);
    BOOST_TEST(!window.is_open());
    Waiter waiter(window.take(), begun);
    BOOST_TEST(window.put_in_line(waiter.number, waiter));
    BOOST_TEST(window.begun() == width);
    window.end(1);
    BOOST_TEST(begun.empty());
    window.end(0);
    BOOST_TEST((begun == std::vector<std::int64_t>{width}));
    BOOST_TEST(window.begun() == width + 1);
}

BOOST_AUTO_TEST_CASE(a_call_that_leaves_the_queue_is_skipped) {
    CallWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t number = 0; number < width; ++number) window.take();
    Waiter first(window.take(), begun), second(window.take(), begun);
    window.put_in_line(first.number, first);
    window.put_in_line(second.number, second);
    window.leave(first.number);
    for (std::int64_t number = 0; number < width; ++number) window.end(number);
    BOOST_TEST((begun == std::vector<std::int64_t>{second.number}));
    window.end(second.number);
    BOOST_TEST(window.is_open());
    BOOST_TEST(window.pass() == second.number + 1);
}

BOOST_AUTO_TEST_CASE(a_call_that_leaves_lets_none_begin_before_another_ends) {
    CallWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t number = 0; number < width; ++number) window.take();
    Waiter waiter(window.take(), begun);
    window.put_in_line(waiter.number, waiter);
    window.leave(0);
    BOOST_TEST(begun.empty());
    BOOST_TEST(!window.is_open());
    window.end(1);
    BOOST_TEST(begun.size() == 1u);
}

/// In any order of ends, calls begin in their order, as many as fit.
BOOST_AUTO_TEST_CASE(random_calls_begin_in_order) {
    const auto seed = first_seed();
    for (std::uint64_t run = 0; run < random_cases(200); ++run) {
        BOOST_TEST_INFO_SCOPE("CARPOOL_SEED=" << seed + run);
        RandomSource random(seed + run);
        CallWindow window(reuse);
        std::vector<std::int64_t> begun, under_way;
        std::deque<std::unique_ptr<Waiter>> waiters;
        auto note = [&, seen = std::size_t{0}]() mutable {
            for (; seen < begun.size(); ++seen) under_way.push_back(begun[seen]);
        };
        std::int64_t next = 0;
        for (int step = 0; step < 300; ++step) {
            if (random.one_in(2)) {
                waiters.push_back(std::make_unique<Waiter>(window.take(), begun));
                auto& one = *waiters.back();
                BOOST_TEST_REQUIRE(one.number == next++);
                if (!window.put_in_line(one.number, one)) begun.push_back(one.number);
            } else if (!under_way.empty()) {
                const auto which = static_cast<std::size_t>(
                    random.between(1, static_cast<int>(under_way.size())) - 1);
                const auto number = under_way[which];
                under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
                window.end(number);
            }
            note();
            BOOST_TEST_REQUIRE(std::ranges::is_sorted(begun));
            BOOST_TEST_REQUIRE(window.begun() == static_cast<std::int64_t>(begun.size()));
            if (under_way.empty()) continue;
            const auto [oldest, latest] = std::ranges::minmax(under_way);
            BOOST_TEST_REQUIRE(latest - oldest < width);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
