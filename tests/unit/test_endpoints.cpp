// SPDX-License-Identifier: MIT
// The messages through shared memory, between threads in place of processes, and the memory itself.

#include "endpoint_traffic.hpp"
#include "random_source.hpp"
#include "shared/shared_segment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_endpoints)

using namespace carpool::shared;

namespace {

const Address somewhere{3, 5};

struct Pair {
    std::unique_ptr<Mailbox> mailboxes[2] = {std::make_unique<Mailbox>(),
                                             std::make_unique<Mailbox>()};
    Endpoint one{*mailboxes[0], *mailboxes[1], {}};
    Endpoint other{*mailboxes[1], *mailboxes[0], {}};

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

BOOST_AUTO_TEST_CASE(envelopes_arrive_complete_and_in_order_whenever_receives_are_posted) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 5; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        BOOST_TEST(EndpointTraffic(seed + i).run(500) == 0U);
    }
}

BOOST_AUTO_TEST_CASE(an_envelope_ahead_of_others_is_taken_as_fast_however_many_they_are) {
    constexpr std::int64_t envelopes = 300000;  // minutes if each moved all behind it
    const Address elsewhere{3, 6};
    Pair pair;
    for (std::int64_t value = 0; value < envelopes; ++value) {
        BOOST_REQUIRE(pair.send(value, value == 7 ? elsewhere : somewhere) != 0U);
        pair.other.poll();
    }
    PostedReceive one{somewhere};
    for (std::int64_t value = 0; value < envelopes; ++value) {
        one.address = value == 7 ? elsewhere : somewhere;
        pair.other.post(one);
        BOOST_REQUIRE(one.matched);
        BOOST_REQUIRE(value_of(one) == value);
        pair.other.release(one.envelope);
    }
    BOOST_TEST(!pair.other.first_unexpected(somewhere.context));
}

BOOST_AUTO_TEST_CASE(a_ring_of_unread_messages_is_full) {
    Pair pair;
    std::vector<PostedReceive> expected(Acks::entries);
    for (auto& one : expected) {
        one.address = somewhere;
        pair.other.post(one);
    }
    for (std::size_t i = 0; i < Acks::entries; ++i) BOOST_TEST(pair.send(7) != 0U);
    pair.other.poll();
    BOOST_TEST(pair.send(8) == 0U);
    pair.other.release(expected[1].envelope);  // not the next one in the ring
    BOOST_TEST(pair.send(8) == 0U);
    pair.other.release(expected[0].envelope);
    BOOST_TEST(pair.send(8) != 0U);
    BOOST_TEST(pair.send(9) != 0U);
    BOOST_TEST(pair.send(10) == 0U);
}

BOOST_AUTO_TEST_CASE(unexpected_envelopes_block_no_others) {
    Pair pair;
    for (std::int64_t i = 0; i < 1000; ++i)
        while (pair.send(i) == 0) pair.other.poll();
    while (pair.send(-5, {3, 6}) == 0) pair.other.poll();
    PostedReceive late{{3, 6}};
    pair.other.post(late);
    pair.other.poll();
    BOOST_TEST(value_of(late) == -5);
    for (std::int64_t i = 0; i < 1000; ++i) {
        PostedReceive next{somewhere};
        pair.other.post(next);
        BOOST_REQUIRE(value_of(next) == i);
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_receive_gets_nothing) {
    Pair pair;
    PostedReceive first{somewhere};
    PostedReceive second{somewhere};
    pair.other.post(first);
    pair.other.post(second);
    pair.other.cancel(first);
    pair.send(1);
    pair.other.poll();
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
    buffer->pending_reads.push_back({&to, number});
    staging.give_back(buffer);
    BOOST_TEST((*staging.take(1000).buffer)->offset != buffer->offset);  // not read yet
    PostedReceive expected{somewhere};
    from.post(expected);
    from.poll();
    BOOST_REQUIRE(expected.matched);
    BOOST_TEST(static_cast<int>(expected.envelope.content[999]) == 42);
    from.release(expected.envelope);
    BOOST_TEST((*staging.take(1000).buffer)->offset == buffer->offset);
}

BOOST_AUTO_TEST_CASE(a_process_that_does_not_exist_is_not_attached) {
    const auto here = SharedSegment::create();
    const auto there = SharedSegment::create();
    BOOST_REQUIRE((here && there));
    auto presence = there->presence();
    presence.process += 1;  // as if the memory were another process's
    BOOST_TEST(!here->attach(presence));
    presence.descriptor = 1 << 20;
    BOOST_TEST(!here->attach(presence));
}

/// What a process that has lost its memory's order may have written: no reader may follow it.
struct BrokenWriter {
    std::unique_ptr<Mailbox> own = std::make_unique<Mailbox>();
    std::unique_ptr<Mailbox> theirs = std::make_unique<Mailbox>();
    std::unique_ptr<MulticastEntries> ring = std::make_unique<MulticastEntries>();
    std::vector<std::byte> memory = std::vector<std::byte>(256);
    Endpoint endpoint{*own, *theirs, memory, Endpoint::MulticastSource{ring.get(), 3, 0}};

    template <typename Entry>
    static void write(Entry& entry, ContentPlace place, std::int64_t bytes, std::uint64_t offset,
                      std::uint64_t number = 1) {
        entry.place = place;
        entry.bytes = bytes;
        std::memcpy(entry.content, &offset, sizeof offset);
        entry.number = number;
    }

    bool is_refused() {
        try {
            endpoint.poll();
            return false;
        } catch (const BrokenMessage& error) {
            return std::string(error.what())
                .starts_with("another process has written a broken message to shared memory: its ");
        }
    }
};

BOOST_AUTO_TEST_CASE(a_message_outside_of_the_memory_is_refused) {
    const struct {
        ContentPlace place;
        std::int64_t bytes;
        std::uint64_t offset;
        bool refused;
    } cases[] = {
        {ContentPlace::staged, 256, 0, false},  {ContentPlace::staged, 0, 256, false},
        {ContentPlace::staged, 257, 0, true},   {ContentPlace::staged, 1, 256, true},
        {ContentPlace::staged, -1, 8, true},    {ContentPlace::staged, 8, ~std::uint64_t{0}, true},
        {ContentPlace::in_entry, 88, 0, false}, {ContentPlace::in_entry, 89, 0, true},
        {ContentPlace::in_entry, -1, 0, true},  {ContentPlace::elsewhere, 1000, 0, false},
        {ContentPlace::elsewhere, -1, 0, true}, {static_cast<ContentPlace>(3), 0, 0, true}};
    for (const auto& [place, bytes, offset, refused] : cases) {
        BrokenWriter writer;
        writer.write(writer.theirs->entries[1], place, bytes, offset);
        BOOST_TEST(writer.is_refused() == refused, bytes << " bytes at " << offset);
        BOOST_TEST(writer.is_refused() == refused);  // and remains so
    }
}

BOOST_AUTO_TEST_CASE(a_broken_multicast_is_refused) {
    BrokenWriter longer;
    longer.memory[0] = std::byte{1 << 3};  // this process is in reader set 0
    longer.write(longer.ring->entries[1], ContentPlace::in_entry, 985, 0);
    BOOST_TEST(longer.is_refused());
    BrokenWriter unknown;
    unknown.ring->entries[1].reader_set = MulticastEntries::most_reader_sets;
    unknown.write(unknown.ring->entries[1], ContentPlace::in_entry, 8, 0);
    BOOST_TEST(unknown.is_refused());
    BrokenWriter outside;
    outside.ring->reader_sets[0] = 256;
    outside.write(outside.ring->entries[1], ContentPlace::in_entry, 8, 0);
    BOOST_TEST(outside.is_refused());
}

BOOST_AUTO_TEST_CASE(a_multicast_whose_number_is_of_another_entry_is_refused) {
    BrokenWriter writer;
    writer.write(writer.ring->entries[1], ContentPlace::in_entry, 8, 0, 2);
    BOOST_TEST(writer.is_refused());
}

BOOST_AUTO_TEST_CASE(a_broken_directory_is_refused) {
    const auto here = SharedSegment::create();
    const auto there = SharedSegment::create();
    BOOST_REQUIRE((here && there));
    BOOST_REQUIRE((here->attach(there->presence()) && there->attach(here->presence())));
    const std::uint64_t far = ~std::uint64_t{127};
    std::memcpy(there->at(sizeof far), &far, sizeof far);  // where the multicast ring is
    BOOST_CHECK_THROW(here->endpoint(there->presence()), BrokenMessage);
}

BOOST_AUTO_TEST_CASE(memory_that_is_no_directory_is_not_attached) {
    const auto here = SharedSegment::create();
    BOOST_REQUIRE(here);
    auto presence = here->presence();
    const int small = memfd_create("small", 0);
    BOOST_REQUIRE(ftruncate(small, 64) == 0);
    presence.descriptor = small;
    presence.process += 1;
    BOOST_TEST(!here->attach(presence));
    close(small);
}

BOOST_AUTO_TEST_SUITE_END()
