// SPDX-License-Identifier: MIT
// MulticastSource on a multicast ring of shared memory, between threads in place of processes.

#include "multicast_traffic.hpp"
#include "random_source.hpp"
#include "shared/shared_segment.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

BOOST_AUTO_TEST_SUITE(test_multicasts)

using namespace carpool::shared;

namespace {

const Address somewhere{3, 5};

/// Three shared segments, of which the first writes to the others.
struct Houses {
    Houses() {
        for (auto& one : all) one = SharedSegment::create(std::size_t{1} << 20);
        for (auto& one : all)
            for (auto& other : all)
                if (one != other) BOOST_REQUIRE(one->attach(other->presence()));
    }
    Endpoint& seen(std::size_t from, std::size_t to) {
        return all[from]->endpoint(all[to]->presence());
    }

    std::uint64_t post(const MulticastRing::ReaderSet& reader_set, std::int64_t value) {
        return all[0]->multicast_ring()->write(reader_set, somewhere, ContentPlace::in_entry,
                                               [&](std::byte* entry) {
                                                   std::memcpy(entry, &value, sizeof value);
                                                   return std::int64_t{sizeof value};
                                               });
    }

    std::unique_ptr<SharedSegment> all[3];
};

std::int64_t value_of(const PostedReceive& posted_receive) {
    std::int64_t value = -1;
    if (posted_receive.matched) std::memcpy(&value, posted_receive.envelope.content, sizeof value);
    return value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(multicasts_and_envelopes_arrive_at_their_readers_in_one_order) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 20; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        BOOST_TEST(MulticastTraffic(seed + i).run(500) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(one_multicast_is_read_by_all_of_its_reader_set_and_no_others) {
    Houses houses;
    auto* const multicast_ring = houses.all[0]->multicast_ring();
    const auto* const both = multicast_ring->reader_set({&houses.seen(0, 1), &houses.seen(0, 2)});
    const auto* const last = multicast_ring->reader_set({&houses.seen(0, 2)});
    BOOST_REQUIRE((both != nullptr && last != nullptr && both != last));
    BOOST_TEST(multicast_ring->reader_set({&houses.seen(0, 2), &houses.seen(0, 1)}) == both);
    BOOST_TEST(houses.post(*both, 7) != 0U);
    BOOST_TEST(houses.post(*last, 8) != 0U);
    for (const std::size_t reader : {1U, 2U}) {
        auto& endpoint = houses.seen(reader, 0);
        PostedReceive first{somewhere};
        PostedReceive second{somewhere};
        endpoint.post(first);
        endpoint.post(second);
        endpoint.poll();
        BOOST_TEST(value_of(first) == 7);
        BOOST_TEST(value_of(second) == (reader == 2 ? 8 : -1));
        endpoint.release(first.envelope);
        endpoint.cancel(second);
    }
}

BOOST_AUTO_TEST_CASE(a_multicast_ring_is_full_until_its_last_reader_has_read) {
    Houses houses;
    const auto* const both =
        houses.all[0]->multicast_ring()->reader_set({&houses.seen(0, 1), &houses.seen(0, 2)});
    for (std::size_t i = 0; i < Acks::entries; ++i) BOOST_TEST(houses.post(*both, 1) != 0U);
    BOOST_TEST(houses.post(*both, 2) == 0U);
    houses.seen(1, 0).poll();  // no receive is posted, so they are copied
    BOOST_TEST(houses.post(*both, 2) == 0U);
    houses.seen(2, 0).poll();
    BOOST_TEST(houses.post(*both, 2) != 0U);
}

BOOST_AUTO_TEST_CASE(an_endpoint_in_no_reader_set_for_long_still_finds_its_next_multicast) {
    Houses houses;
    auto* const multicast_ring = houses.all[0]->multicast_ring();
    const auto* const first = multicast_ring->reader_set({&houses.seen(0, 1)});
    const auto* const second = multicast_ring->reader_set({&houses.seen(0, 2)});
    for (int i = 0; i < 100; ++i) {
        BOOST_TEST(houses.post(*first, i) != 0U);
        houses.seen(1, 0).poll();
    }
    BOOST_TEST(houses.post(*second, 5) != 0U);
    PostedReceive expected{somewhere};
    auto& endpoint = houses.seen(2, 0);
    endpoint.post(expected);
    endpoint.poll();
    BOOST_TEST(value_of(expected) == 5);
    endpoint.release(expected.envelope);
}

BOOST_AUTO_TEST_SUITE_END()
