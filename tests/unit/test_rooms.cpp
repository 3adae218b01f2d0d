// Rooms of which several mates are told: who reads when, and what becomes of them.

#include "random_source.hpp"
#include "rooms_talk.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

using namespace carpool::shared;

namespace {

const Address somewhere{3, 5};

std::unique_ptr<Rooms> rooms_for(Household& home, std::size_t bytes) {
    auto rooms = std::make_unique<Rooms>(home);
    return rooms->hold(bytes) ? std::move(rooms) : nullptr;
}

/// Two processes of a node, and what one publishes for the other.
struct Publisher {
    std::unique_ptr<Household> home = Household::create();
    std::unique_ptr<Household> there = Household::create();
    bool met = home->meet(there->presence()) && there->meet(home->presence());
    Mate& to = home->mate(there->presence());
    Mate& from = there->mate(home->presence());
    std::unique_ptr<Rooms> rooms = rooms_for(*home, 1000);

    bool load(int value) {
        return rooms->load([&](std::byte* room) {
            std::memset(room, value, 1000);
            return 1000;
        });
    }

    /// What the next letter tells, which is not released.
    std::unique_ptr<Expectation> next() {
        auto one = std::make_unique<Expectation>();
        one->address = somewhere;
        from.expect(*one);
        from.look();
        return one;
    }
};

int value_of(const Expectation& one) {
    return one.met ? static_cast<int>(one.letter.content[999]) : -1;
}

// Which taking of memory fails, counted down; none at 0.
int takes_until_failure = 0;
bool may_take() { return takes_until_failure == 0 || --takes_until_failure != 0; }

}  // namespace

BOOST_AUTO_TEST_SUITE(test_rooms)

BOOST_AUTO_TEST_CASE(a_room_comes_again_once_all_readers_have_read_it) {
    Publisher one;
    const auto first = one.rooms->add_reader(one.to);
    const auto second = one.rooms->add_reader(one.to);
    std::vector<std::unique_ptr<Expectation>> letters;
    for (const int start : {1, 2}) {
        one.rooms->turn();
        BOOST_TEST(one.load(start));
        for (const auto reader : {first, second}) {
            BOOST_TEST(one.rooms->tell(reader, somewhere));
            letters.push_back(one.next());
            BOOST_TEST(value_of(*letters.back()) == start);
        }
    }
    one.rooms->turn();
    BOOST_TEST(!one.load(3));
    one.from.release(letters[2]->letter);  // of the other room
    one.from.release(letters[3]->letter);
    one.from.release(letters[1]->letter);
    BOOST_TEST(!one.load(3));
    BOOST_TEST(value_of(*letters[0]) == 1);
    one.from.release(letters[0]->letter);
    BOOST_TEST(one.load(3));
}

BOOST_AUTO_TEST_CASE(a_start_puts_its_bytes_together_once) {
    Publisher one;
    const auto reader = one.rooms->add_reader(one.to);
    BOOST_TEST(one.load(1));
    BOOST_TEST(one.load(2));
    BOOST_TEST(one.rooms->tell(reader, somewhere));
    BOOST_TEST(value_of(*one.next()) == 1);
}

BOOST_AUTO_TEST_CASE(a_start_of_which_nobody_was_told_leaves_its_room_free) {
    Publisher one;
    one.rooms->add_reader(one.to);
    for (const int start : {1, 2, 3, 4}) {
        one.rooms->turn();
        BOOST_TEST(one.load(start));
    }
}

BOOST_AUTO_TEST_CASE(rooms_that_are_closed_are_kept_until_all_have_read) {
    Publisher one;
    const auto open = one.home->in_use();
    const auto first = one.rooms->add_reader(one.to);
    const auto second = one.rooms->add_reader(one.to);
    one.load(7);
    one.rooms->tell(first, somewhere);
    one.rooms->tell(second, somewhere);
    one.rooms.reset();
    const auto used = [&] {
        const auto offset = one.home->take(1);  // clears away
        one.home->give_back(*offset, 1, {});
        return one.home->in_use();
    };
    BOOST_TEST(used() == open - Memory::piece(1000));  // the other room
    const auto earlier = one.next();
    const auto later = one.next();
    one.from.release(earlier->letter);
    BOOST_TEST(used() == open - Memory::piece(1000));
    BOOST_TEST(value_of(*later) == 7);
    one.from.release(later->letter);
    BOOST_TEST(used() == open - 2 * Memory::piece(1000));
}

BOOST_AUTO_TEST_CASE(of_more_rooms_each_comes_again_in_its_turn) {
    Publisher one;
    const auto reader = one.rooms->add_reader(one.to);
    one.rooms->extend(4);
    BOOST_TEST(one.rooms->taken() == 4 * Memory::piece(1000));
    std::vector<std::unique_ptr<Expectation>> letters;
    for (int start = 0; start < 12; ++start) {
        one.rooms->turn();
        if (start >= 4) {
            BOOST_TEST(!one.load(start));
            one.from.release(letters[static_cast<std::size_t>(start) - 4]->letter);
        }
        BOOST_TEST(one.load(start));
        BOOST_TEST(one.rooms->tell(reader, somewhere));
        letters.push_back(one.next());
        for (auto late = std::max(0, start - 3); late <= start; ++late)
            BOOST_TEST(value_of(*letters[static_cast<std::size_t>(late)]) == late);
    }
}

BOOST_AUTO_TEST_CASE(there_are_as_many_rooms_as_there_is_memory_for) {
    const auto home = Household::create(Household::usual_most, may_take);
    BOOST_REQUIRE(home);
    const auto before = home->in_use();
    auto rooms = rooms_for(*home, 1000);
    takes_until_failure = 2;
    rooms->extend(8);
    takes_until_failure = 0;
    BOOST_TEST(rooms->taken() == 3 * Memory::piece(1000));
    rooms.reset();
    BOOST_TEST(home->in_use() == before);
}

BOOST_AUTO_TEST_CASE(what_was_told_stays_where_it_is_while_rooms_grow) {
    Publisher publisher;
    publisher.rooms->add_reader(publisher.to);
    publisher.rooms->turn();
    BOOST_REQUIRE(publisher.load(7));
    BOOST_REQUIRE(publisher.rooms->tell(0, somewhere));
    const auto letter = publisher.next();
    const auto before = publisher.home->in_use();
    BOOST_REQUIRE(publisher.rooms->hold(3000));
    BOOST_TEST(publisher.rooms->taken() == 2 * Memory::piece(4096));
    BOOST_TEST(publisher.home->in_use() > before);
    publisher.rooms->turn();
    BOOST_REQUIRE(publisher.load(8));
    BOOST_TEST(value_of(*letter) == 7);
}

BOOST_AUTO_TEST_CASE(rooms_that_cannot_grow_are_none_until_there_is_memory) {
    const auto home = Household::create(Household::usual_most, may_take);
    BOOST_REQUIRE(home);
    const auto before = home->in_use();
    const auto rooms = rooms_for(*home, 1000);
    takes_until_failure = 2;
    BOOST_TEST(!rooms->hold(2000));
    takes_until_failure = 0;
    BOOST_TEST(home->in_use() == before);
    BOOST_TEST(rooms->hold(10));
    BOOST_TEST(rooms->taken() == 2 * Memory::piece(10));
}

BOOST_AUTO_TEST_CASE(without_memory_for_both_there_are_none_and_nothing_is_taken) {
    const auto home = Household::create(Household::usual_most, may_take);
    BOOST_REQUIRE(home);
    const auto before = home->in_use();
    for (const int failing : {1, 2}) {
        takes_until_failure = failing;
        BOOST_TEST(!rooms_for(*home, 1000));
        BOOST_TEST(home->in_use() == before);
    }
    takes_until_failure = 3;
    BOOST_TEST(rooms_for(*home, 1000)->taken() == 2 * Memory::piece(1000));
    takes_until_failure = 0;
    BOOST_TEST(home->in_use() == before);
}

BOOST_AUTO_TEST_CASE(a_household_without_memory_for_its_directory_or_a_drawer_is_none) {
    takes_until_failure = 1;
    BOOST_TEST(!Household::create(Household::usual_most, may_take));
    const auto there = Household::create();
    const auto here = Household::create(Household::usual_most, may_take);
    takes_until_failure = 1;
    BOOST_TEST(!here->meet(there->presence()));
    takes_until_failure = 0;
    BOOST_TEST(here->meet(there->presence()));
}

BOOST_AUTO_TEST_CASE(who_reads_in_its_own_time_reads_what_was_meant) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 5; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        RoomsTalk talk(seed + i);
        BOOST_TEST(talk.run(300) == 0U);
        BOOST_TEST(talk.kept() == 0U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
