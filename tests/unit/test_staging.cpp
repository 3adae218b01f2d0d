// SPDX-License-Identifier: MIT
// Staging buffers with several readers: what each reads at which time, and when buffers are reused.

#include "random_source.hpp"
#include "staging_traffic.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_staging)

using namespace carpool::shared;

namespace {

using LoadResult = StagedContent::LoadResult;

const Address somewhere{3, 5};

std::unique_ptr<StagedContent> content_of(SharedSegment& home, std::size_t bytes) {
    auto content = std::make_unique<StagedContent>(home);
    content->resize(bytes);
    return content;
}

/// Two processes of a node, and content that one publishes for the other.
struct Publisher {
    std::unique_ptr<SharedSegment> home = SharedSegment::create();
    std::unique_ptr<SharedSegment> there = SharedSegment::create();
    bool met = home->attach(there->presence()) && there->attach(home->presence());
    Endpoint& to = home->endpoint(there->presence());
    Endpoint& from = there->endpoint(home->presence());
    std::unique_ptr<StagedContent> content = content_of(*home, 1000);

    LoadResult load(int value) {
        return content->load([&](std::byte* buffer) {
            std::memset(buffer, value, content->bytes());
            return static_cast<std::int64_t>(content->bytes());
        });
    }

    /// Receives the next message without releasing it.
    std::unique_ptr<PostedReceive> next() {
        auto one = std::make_unique<PostedReceive>();
        one->address = somewhere;
        from.post(*one);
        from.poll();
        return one;
    }
};

int value_of(const PostedReceive& one) {
    return one.matched ? static_cast<int>(one.envelope.content[999]) : -1;
}

// Counts down to the allocation that fails; at 0 none fails.
int takes_until_failure = 0;
bool may_take() { return takes_until_failure == 0 || --takes_until_failure != 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_buffer_is_taken_again_once_all_readers_have_read_it) {
    Publisher one;
    const auto first = one.content->add_reader(one.to);
    const auto second = one.content->add_reader(one.to);
    std::vector<std::unique_ptr<PostedReceive>> envelopes;
    for (const int start : {1, 2}) {
        one.content->restart();
        BOOST_TEST((one.load(start) == LoadResult::yes));
        for (const auto reader : {first, second}) {
            BOOST_TEST(one.content->notify(reader, somewhere));
            envelopes.push_back(one.next());
            BOOST_TEST(value_of(*envelopes.back()) == start);
        }
    }
    one.content->restart();
    BOOST_TEST((one.load(3) == LoadResult::late));
    one.from.release(envelopes[2]->envelope);  // of the other buffer
    one.from.release(envelopes[3]->envelope);
    one.from.release(envelopes[1]->envelope);
    BOOST_TEST((one.load(3) == LoadResult::late));
    BOOST_TEST(value_of(*envelopes[0]) == 1);
    one.from.release(envelopes[0]->envelope);
    BOOST_TEST((one.load(3) == LoadResult::yes));
}

BOOST_AUTO_TEST_CASE(a_start_puts_its_bytes_together_once) {
    Publisher one;
    const auto reader = one.content->add_reader(one.to);
    BOOST_TEST((one.load(1) == LoadResult::yes));
    BOOST_TEST((one.load(2) == LoadResult::yes));
    BOOST_TEST(one.content->notify(reader, somewhere));
    BOOST_TEST(value_of(*one.next()) == 1);
}

BOOST_AUTO_TEST_CASE(a_start_without_readers_leaves_its_buffer_free) {
    Publisher one;
    one.content->add_reader(one.to);
    for (const int start : {1, 2, 3, 4}) {
        one.content->restart();
        BOOST_TEST((one.load(start) == LoadResult::yes));
    }
}

BOOST_AUTO_TEST_CASE(many_contents_of_which_few_are_active_share_few_buffers) {
    Publisher one;
    const auto before = one.home->in_use();
    for (int content = 0; content < 100; ++content) {
        one.content = content_of(*one.home, 1000);
        one.content->add_reader(one.to);
        for (const int start : {1, 2, 3}) {
            one.content->restart();
            BOOST_TEST((one.load(start) == LoadResult::yes));
            BOOST_TEST(one.content->notify(0, somewhere));
            const auto envelope = one.next();
            BOOST_TEST(value_of(*envelope) == start);
            one.from.release(envelope->envelope);
        }
    }
    BOOST_TEST(one.home->in_use() - before <= 2 * Memory::piece(1000));
}

BOOST_AUTO_TEST_CASE(an_unread_buffer_outlives_its_content) {
    Publisher one;
    const auto first = one.content->add_reader(one.to);
    const auto second = one.content->add_reader(one.to);
    one.load(7);
    one.content->notify(first, somewhere);
    one.content->notify(second, somewhere);
    one.content = content_of(*one.home, 1000);
    const auto earlier = one.next();
    const auto later = one.next();
    one.from.release(earlier->envelope);
    const auto other = *one.home->staging().take(1000).buffer;
    std::memset(one.home->staging().at(other), 8, 1000);
    BOOST_TEST(value_of(*later) == 7);
    const auto* const bytes = later->envelope.content;
    one.from.release(later->envelope);
    const auto again = *one.home->staging().take(1000).buffer;
    std::memset(one.home->staging().at(again), 9, 1000);
    BOOST_TEST(static_cast<int>(bytes[999]) == 9);  // the same staging buffer
}

BOOST_AUTO_TEST_CASE(as_many_starts_are_active_as_are_allowed) {
    Publisher one;
    const auto reader = one.content->add_reader(one.to);
    one.content->allow(4);
    std::vector<std::unique_ptr<PostedReceive>> envelopes;
    for (int start = 0; start < 12; ++start) {
        one.content->restart();
        if (start >= 4) {
            BOOST_TEST((one.load(start) == LoadResult::late));
            one.from.release(envelopes[static_cast<std::size_t>(start) - 4]->envelope);
        }
        BOOST_TEST((one.load(start) == LoadResult::yes));
        BOOST_TEST(one.content->notify(reader, somewhere));
        envelopes.push_back(one.next());
        for (auto late = std::max(0, start - 3); late <= start; ++late)
            BOOST_TEST(value_of(*envelopes[static_cast<std::size_t>(late)]) == late);
    }
}

BOOST_AUTO_TEST_CASE(an_announced_buffer_stays_in_place_while_the_content_grows) {
    Publisher one;
    one.content->add_reader(one.to);
    one.content->restart();
    BOOST_REQUIRE((one.load(7) == LoadResult::yes));
    BOOST_REQUIRE(one.content->notify(0, somewhere));
    const auto envelope = one.next();
    one.content->resize(3000);
    one.content->restart();
    BOOST_REQUIRE((one.load(8) == LoadResult::yes));
    BOOST_TEST(value_of(*envelope) == 7);
}

BOOST_AUTO_TEST_CASE(a_start_without_memory_stays_without_it) {
    const auto home = SharedSegment::create(SharedSegment::usual_most, may_take);
    BOOST_REQUIRE(home);
    const auto content = content_of(*home, 1000);
    const auto load = [&] { return content->load([](std::byte*) { return std::int64_t{1000}; }); };
    takes_until_failure = 1;
    BOOST_TEST((load() == LoadResult::no_memory));
    takes_until_failure = 0;
    BOOST_TEST((load() == LoadResult::no_memory));
    content->restart();
    BOOST_TEST((load() == LoadResult::yes));
}

BOOST_AUTO_TEST_CASE(a_larger_buffer_does_where_there_is_no_memory_for_another) {
    constexpr std::size_t most_bytes = std::size_t{1} << 23;
    const auto home = SharedSegment::create(most_bytes);
    BOOST_REQUIRE(home);
    auto& staging = home->staging();
    std::vector<StagingPool::Buffer> large;
    while (const auto one = staging.take(1 << 16).buffer) large.push_back(*one);
    std::vector<StagingPool::Buffer> small;
    while (const auto one = staging.take(1000).buffer) small.push_back(*one);
    BOOST_REQUIRE(!large.empty());
    staging.give_back(large.back());
    const auto found = staging.take(1000).buffer;
    BOOST_REQUIRE(found.has_value());
    BOOST_TEST((*found)->offset == large.back()->offset);
    BOOST_TEST(!staging.take(1000).buffer.has_value());
}

BOOST_AUTO_TEST_CASE(a_shared_segment_without_memory_for_its_directory_or_a_mailbox_is_none) {
    takes_until_failure = 1;
    BOOST_TEST(!SharedSegment::create(SharedSegment::usual_most, may_take));
    const auto there = SharedSegment::create();
    const auto here = SharedSegment::create(SharedSegment::usual_most, may_take);
    takes_until_failure = 1;
    BOOST_TEST(!here->attach(there->presence()));
    takes_until_failure = 0;
    BOOST_TEST(here->attach(there->presence()));
}

BOOST_AUTO_TEST_CASE(late_readers_read_the_right_contents) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < 5; ++i) {
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i);
        StagingTraffic talk(seed + i);
        BOOST_TEST(talk.run(300) == 0U);
        BOOST_TEST(talk.kept() <= 64 * 512U);  // may wait in ring entries
    }
}

BOOST_AUTO_TEST_SUITE_END()
