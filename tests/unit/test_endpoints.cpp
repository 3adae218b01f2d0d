// SPDX-License-Identifier: MIT
// The messages through shared memory, between threads in place of processes, and the memory itself.

#include "endpoint_traffic.hpp"
#include "random_source.hpp"
#include "shared/shared_segment.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

using namespace carpool::shared;

namespace {

const Address somewhere{3, 5};

struct Pair {
    std::unique_ptr<Mailbox> mailboxes[2] = {std::make_unique<Mailbox>(),
                                             std::make_unique<Mailbox>()};
    Endpoint one{*mailboxes[0], *mailboxes[1], nullptr};
    Endpoint other{*mailboxes[1], *mailboxes[0], nullptr};

    std::uint64_t send(std::int64_t value, const Address& to = somewhere) {
        return one.send(to, ContentPlace::in_entry, sizeof value,
                        std::as_bytes(std::span(&value, 1)));
    }
};

std::int64_t value_of(const PostedReceive& posted_receive) {
    std::int64_t value = -1;
    if (posted_receive.matched) std::memcpy(&value, posted_receive.envelope.content, sizeof value);
    return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_endpoints)

BOOST_AUTO_TEST_CASE(envelopes_come_in_order_and_whole_whatever_is_expected_when) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 5; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        BOOST_TEST(EndpointTraffic(seed + i).run(500) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(a_envelope_that_is_ahead_of_others_is_taken_as_fast_however_many_they_are) {
    constexpr std::int64_t envelopes = 300000;  // minutes if each moved all behind it
    const Address elsewhere{3, 6};
    Pair pair;
    for (std::int64_t value = 0; value < envelopes; ++value) {
        BOOST_REQUIRE(pair.send(value, value == 7 ? elsewhere : somewhere) != 0U);
        pair.other.look();
    }
    PostedReceive one{somewhere};
    for (std::int64_t value = 0; value < envelopes; ++value) {
        one.address = value == 7 ? elsewhere : somewhere;
        pair.other.expect(one);
        BOOST_REQUIRE(one.matched);
        BOOST_REQUIRE(value_of(one) == value);
        pair.other.release(one.envelope);
    }
    BOOST_TEST(!pair.other.first_unexpected(somewhere.context));
}

BOOST_AUTO_TEST_CASE(a_ring_of_supersteps_nobody_reads_is_full) {
    Pair pair;
    std::vector<PostedReceive> expected(Acks::entries);
    for (auto& one : expected) {
        one.address = somewhere;
        pair.other.expect(one);
    }
    for (std::size_t i = 0; i < Acks::entries; ++i) BOOST_TEST(pair.send(7) != 0U);
    pair.other.look();
    BOOST_TEST(pair.send(8) == 0U);
    pair.other.release(expected[1].envelope);  // not the next one in the ring
    BOOST_TEST(pair.send(8) == 0U);
    pair.other.release(expected[0].envelope);
    BOOST_TEST(pair.send(8) != 0U);
    BOOST_TEST(pair.send(9) != 0U);
    BOOST_TEST(pair.send(10) == 0U);
}

BOOST_AUTO_TEST_CASE(envelopes_that_nobody_expects_stop_nobody) {
    Pair pair;
    for (std::int64_t i = 0; i < 1000; ++i)
        while (pair.send(i) == 0) pair.other.look();
    while (pair.send(-5, {3, 6}) == 0) pair.other.look();
    PostedReceive late{{3, 6}};
    pair.other.expect(late);
    pair.other.look();
    BOOST_TEST(value_of(late) == -5);
    for (std::int64_t i = 0; i < 1000; ++i) {
        PostedReceive next{somewhere};
        pair.other.expect(next);
        BOOST_REQUIRE(value_of(next) == i);
    }
}

BOOST_AUTO_TEST_CASE(who_does_not_wait_any_more_gets_nothing) {
    Pair pair;
    PostedReceive first{somewhere};
    PostedReceive second{somewhere};
    pair.other.expect(first);
    pair.other.expect(second);
    pair.other.forget(first);
    pair.send(1);
    pair.other.look();
    BOOST_TEST(!first.matched);
    BOOST_TEST(value_of(second) == 1);
    BOOST_TEST(!pair.other.first_unexpected(somewhere.context));
    pair.send(2);
    BOOST_TEST(pair.other.first_unexpected(somewhere.context).value() == somewhere.tag);
    BOOST_TEST(pair.other.discard(somewhere.context + 1) == 0U);
    BOOST_TEST(pair.other.discard(somewhere.context) == 1U);
    BOOST_TEST(!pair.other.first_unexpected(somewhere.context));
}

BOOST_AUTO_TEST_CASE(pieces_of_memory_do_not_overlap_and_end_with_the_memory) {
    constexpr std::size_t most = std::size_t{1} << 24;
    const auto memory = Memory::create(most);
    BOOST_REQUIRE(memory);
    RandomSource random(first_seed());
    std::map<std::size_t, std::size_t> taken;  // bytes by offset
    for (int i = 0; i < 1000; ++i) {
        const auto bytes = static_cast<std::size_t>(random.between(1, 100000));
        const auto offset = memory->take(bytes);
        if (!offset) continue;
        const auto next = taken.lower_bound(*offset);
        BOOST_REQUIRE((next == taken.end() || *offset + bytes <= next->first));
        if (next != taken.begin())
            BOOST_REQUIRE(std::prev(next)->first + std::prev(next)->second <= *offset);
        BOOST_REQUIRE(*offset + bytes <= most);
        std::memset(memory->at(*offset), 1, bytes);
        taken[*offset] = bytes;
    }
    BOOST_TEST(memory->in_use() > most / 2);
    BOOST_TEST(!memory->take(most / 2).has_value());
}

BOOST_AUTO_TEST_CASE(two_shared_segments_read_each_other) {
    const auto here = SharedSegment::create();
    const auto there = SharedSegment::create();
    BOOST_REQUIRE((here && there));
    BOOST_TEST(here->presence().node == there->presence().node);
    BOOST_TEST(here->presence().process != there->presence().process);
    BOOST_REQUIRE((here->attach(there->presence()) && there->attach(here->presence())));
    auto& to = here->endpoint(there->presence());
    auto& from = there->endpoint(here->presence());
    auto& staging = here->staging();
    const auto buffer = *staging.take(1000).buffer;
    std::memset(staging.at(buffer), 42, 1000);
    const auto number = to.send_staged(somewhere, 1000, buffer->offset);
    buffer->readings.push_back({&to, number});
    staging.give_back(buffer);
    BOOST_TEST((*staging.take(1000).buffer)->offset != buffer->offset);  // not read yet
    PostedReceive expected{somewhere};
    from.expect(expected);
    from.look();
    BOOST_REQUIRE(expected.matched);
    BOOST_TEST(static_cast<int>(expected.envelope.content[999]) == 42);
    from.release(expected.envelope);
    BOOST_TEST((*staging.take(1000).buffer)->offset == buffer->offset);
}

BOOST_AUTO_TEST_CASE(who_is_not_there_is_not_met) {
    const auto here = SharedSegment::create();
    const auto there = SharedSegment::create();
    BOOST_REQUIRE((here && there));
    auto presence = there->presence();
    presence.process += 1;  // as if the memory were another process's
    BOOST_TEST(!here->attach(presence));
    presence.descriptor = 1 << 20;
    BOOST_TEST(!here->attach(presence));
}

BOOST_AUTO_TEST_SUITE_END()
