// Notices on a board of shared memory, between threads in place of processes.

#include "notices_talk.hpp"
#include "random_source.hpp"
#include "shared/household.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

using namespace carpool::shared;

namespace {

const Address somewhere{3, 5};

/// Three households of which the first writes to the others.
struct Houses {
    Houses() {
        for (auto& one : all) one = Household::create(std::size_t{1} << 20);
        for (auto& one : all)
            for (auto& other : all)
                if (one != other) BOOST_REQUIRE(one->meet(other->presence()));
    }
    Mate& seen(std::size_t from, std::size_t to) { return all[from]->mate(all[to]->presence()); }

    std::uint64_t post(const NoticeBoard::Audience& audience, std::int64_t value) {
        return all[0]->board()->write(audience, somewhere, Place::in_cell, [&](std::byte* cell) {
            std::memcpy(cell, &value, sizeof value);
            return std::int64_t{sizeof value};
        });
    }

    std::unique_ptr<Household> all[3];
};

std::int64_t value_of(const Expectation& expectation) {
    std::int64_t value = -1;
    if (expectation.met) std::memcpy(&value, expectation.letter.content, sizeof value);
    return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_notices)

BOOST_AUTO_TEST_CASE(notices_and_letters_come_in_one_order_to_whom_they_are_for) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 20; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        BOOST_TEST(NoticesTalk(seed + i).run(500) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(one_notice_is_read_by_all_of_its_audience_and_nobody_else) {
    Houses houses;
    auto* const board = houses.all[0]->board();
    const auto* const both = board->audience({&houses.seen(0, 1), &houses.seen(0, 2)});
    const auto* const last = board->audience({&houses.seen(0, 2)});
    BOOST_REQUIRE((both != nullptr && last != nullptr && both != last));
    BOOST_TEST(board->audience({&houses.seen(0, 2), &houses.seen(0, 1)}) == both);
    BOOST_TEST(houses.post(*both, 7) != 0U);
    BOOST_TEST(houses.post(*last, 8) != 0U);
    for (const std::size_t reader : {1U, 2U}) {
        auto& mate = houses.seen(reader, 0);
        Expectation first{somewhere};
        Expectation second{somewhere};
        mate.expect(first);
        mate.expect(second);
        mate.look();
        BOOST_TEST(value_of(first) == 7);
        BOOST_TEST(value_of(second) == (reader == 2 ? 8 : -1));
        mate.release(first.letter);
        mate.forget(second);
    }
}

BOOST_AUTO_TEST_CASE(a_board_that_one_reader_has_not_read_is_full_until_he_has) {
    Houses houses;
    const auto* const both =
        houses.all[0]->board()->audience({&houses.seen(0, 1), &houses.seen(0, 2)});
    for (std::size_t i = 0; i < Receipts::cells; ++i) BOOST_TEST(houses.post(*both, 1) != 0U);
    BOOST_TEST(houses.post(*both, 2) == 0U);
    houses.seen(1, 0).look();  // nobody expects them, so they are copied
    BOOST_TEST(houses.post(*both, 2) == 0U);
    houses.seen(2, 0).look();
    BOOST_TEST(houses.post(*both, 2) != 0U);
}

BOOST_AUTO_TEST_CASE(who_is_in_no_audience_for_long_still_finds_his_notice) {
    Houses houses;
    auto* const board = houses.all[0]->board();
    const auto* const first = board->audience({&houses.seen(0, 1)});
    const auto* const second = board->audience({&houses.seen(0, 2)});
    for (int i = 0; i < 100; ++i) {
        BOOST_TEST(houses.post(*first, i) != 0U);
        houses.seen(1, 0).look();
    }
    BOOST_TEST(houses.post(*second, 5) != 0U);
    Expectation expected{somewhere};
    auto& mate = houses.seen(2, 0);
    mate.expect(expected);
    mate.look();
    BOOST_TEST(value_of(expected) == 5);
    mate.release(expected.letter);
}

BOOST_AUTO_TEST_SUITE_END()
