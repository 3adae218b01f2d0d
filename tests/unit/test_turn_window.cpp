// SPDX-License-Identifier: MIT
// The window of blocking and nonblocking calls: how many are in progress at a time, and in which
// order the others begin.

#include <boost/test/unit_test.hpp>

#include "base/turn_window.hpp"
#include "random_source.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace {

using carpool::base::TurnWindow;

/// Records that its turn has begun.
struct Waiter final : TurnWindow::Waiter {
    Waiter(std::int64_t t, std::vector<std::int64_t>& b) : turn(t), begun(b) {}
    void begin_turn() override { begun.push_back(turn); }

    std::int64_t turn;
    std::vector<std::int64_t>& begun;
};

constexpr int reuse = 16;  // so the window is four turns wide
constexpr std::int64_t width = reuse / 4;

}  // namespace

BOOST_AUTO_TEST_SUITE(test_turn_window)

BOOST_AUTO_TEST_CASE(turns_that_pass_are_never_under_way) {
    TurnWindow window(reuse);
    for (std::int64_t turn = 0; turn < 100; ++turn) {
        BOOST_TEST(window.is_open());
        BOOST_TEST(window.pass() == turn);
        BOOST_TEST(window.begun() == window.given());
    }
}

BOOST_AUTO_TEST_CASE(the_oldest_under_way_holds_up_the_one_behind_the_window) {
    TurnWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t turn = 0; turn < width; ++turn) BOOST_TEST(window.take() == turn);
    BOOST_TEST(!window.is_open());
    Waiter waiter(window.take(), begun);
    BOOST_TEST(window.put_in_line(waiter.turn, waiter));
    BOOST_TEST(window.begun() == width);
    window.end(1);
    BOOST_TEST(begun.empty());
    window.end(0);
    BOOST_TEST((begun == std::vector<std::int64_t>{width}));
    BOOST_TEST(window.begun() == width + 1);
}

BOOST_AUTO_TEST_CASE(a_turn_that_ends_in_line_is_skipped) {
    TurnWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t turn = 0; turn < width; ++turn) window.take();
    Waiter first(window.take(), begun), second(window.take(), begun);
    window.put_in_line(first.turn, first);
    window.put_in_line(second.turn, second);
    window.leave(first.turn);
    for (std::int64_t turn = 0; turn < width; ++turn) window.end(turn);
    BOOST_TEST((begun == std::vector<std::int64_t>{second.turn}));
    window.end(second.turn);
    BOOST_TEST(window.is_open());
    BOOST_TEST(window.pass() == second.turn + 1);
}

BOOST_AUTO_TEST_CASE(what_leaves_lets_nobody_begin_before_another_ends) {
    TurnWindow window(reuse);
    std::vector<std::int64_t> begun;
    for (std::int64_t turn = 0; turn < width; ++turn) window.take();
    Waiter waiter(window.take(), begun);
    window.put_in_line(waiter.turn, waiter);
    window.leave(0);
    BOOST_TEST(begun.empty());
    BOOST_TEST(!window.is_open());
    window.end(1);
    BOOST_TEST(begun.size() == 1u);
}

/// In any order of ends, turns begin in their order, as many as fit.
BOOST_AUTO_TEST_CASE(random_turns_begin_in_order) {
    const auto seed = first_seed();
    for (std::uint64_t run = 0; run < random_cases(200); ++run) {
        BOOST_TEST_INFO_SCOPE("CARPOOL_SEED=" << seed + run);
        RandomSource random(seed + run);
        TurnWindow window(reuse);
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
                BOOST_TEST_REQUIRE(one.turn == next++);
                if (!window.put_in_line(one.turn, one)) begun.push_back(one.turn);
            } else if (!under_way.empty()) {
                const auto which = static_cast<std::size_t>(
                    random.between(1, static_cast<int>(under_way.size())) - 1);
                const auto turn = under_way[which];
                under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
                window.end(turn);
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
