// SPDX-License-Identifier: MIT
// Handles of objects: no other handle, address or random number is taken for one, and none is valid
// after its object was removed.

#include "base/handle_table.hpp"
#include "random_source.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_handle_table)

namespace {

using Table = carpool::base::HandleTable<std::unique_ptr<int>>;
using Handle = Table::Handle;

/// A table that is never destroyed, like the library's own.
Table& table_marked(std::uint16_t mark) {
    static auto& tables = *new std::vector<Table*>;
    return *tables.emplace_back(new Table(mark));
}

Handle added(Table& table, int value) { return table.add(std::make_unique<int>(value)); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_handle_refers_to_its_object_until_it_is_removed) {
    auto& table = table_marked(0xca80);
    const auto one = added(table, 1), two = added(table, 2);
    BOOST_TEST(**table.find(one) == 1);
    BOOST_TEST(**table.find(two) == 2);
    BOOST_TEST(*table.take(one) == 1);
    BOOST_TEST(table.find(one) == nullptr);
    BOOST_TEST(**table.find(two) == 2);
}

BOOST_AUTO_TEST_CASE(an_empty_table_knows_no_handle) {
    const auto& table = table_marked(0xca80);
    for (const Handle handle : {Handle{0}, Handle{64}, ~Handle{0}})
        BOOST_TEST(table.find(handle) == nullptr);
}

BOOST_AUTO_TEST_CASE(numbers_near_a_handle_are_not_handles) {
    auto& table = table_marked(0xca80);
    const auto handle = added(table, 1);
    for (int bit = 0; bit < 64; ++bit)
        BOOST_TEST(table.find(handle ^ (Handle{1} << bit)) == nullptr, "bit " << bit);
    table.take(handle);
    for (Handle number = 0; number < 4096; ++number) BOOST_TEST(table.find(number) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_handle_of_another_table_is_not_valid) {
    auto &table = table_marked(0xca80), &other = table_marked(0xca81);
    const auto handle = added(table, 1);
    added(other, 1);
    BOOST_TEST(other.find(handle) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_bits_that_tell_handles_from_addresses_are_the_mark) {
    const auto handle = added(table_marked(0xca80), 1);
    BOOST_TEST((handle >> 48) == 0xca80U);
}

BOOST_AUTO_TEST_CASE(handles_that_were_removed_are_not_given_out_again) {
    auto& table = table_marked(0xca80);
    std::set<Handle> seen;
    std::vector<Handle> last;
    for (int i = 0; i < 100000; ++i) {
        last.push_back(added(table, i));
        BOOST_TEST_REQUIRE(seen.insert(last.back()).second);
        if (i % 3 == 0) continue;
        table.take(last.back());
        BOOST_TEST_REQUIRE(table.find(last.back()) == nullptr);
    }
}

/// An object that is added and removed again and again never gets the same place twice in a row, so
/// a stale handle is recognized for about 5e8 more objects.
BOOST_AUTO_TEST_CASE(places_are_used_in_turn) {
    auto& table = table_marked(0xca80);
    std::set<Handle> places;
    for (int i = 0; i < 32; ++i) {
        const auto handle = added(table, i);
        BOOST_TEST(places.insert(handle % (1 << 24)).second);
        table.take(handle);
    }
}

BOOST_AUTO_TEST_CASE(objects_keep_their_addresses_while_others_come_and_go) {
    auto& table = table_marked(0xca80);
    RandomSource random(first_seed());
    std::vector<std::pair<Handle, std::unique_ptr<int>*>> there;
    for (int i = 0; i < 30000; ++i) {
        if (there.empty() || !random.one_in(3)) {
            const auto handle = added(table, i);
            there.emplace_back(handle, table.find(handle));
        } else {
            const auto at =
                static_cast<std::size_t>(random.between(0, static_cast<int>(there.size()) - 1));
            table.take(there[at].first);
            there[at] = there.back();
            there.pop_back();
        }
    }
    for (const auto& [handle, place] : there) BOOST_TEST((table.find(handle) == place));
}

BOOST_AUTO_TEST_SUITE_END()
