// SPDX-License-Identifier: MIT
// Tests which ranks have arrived at an episode, and whether numbers are balanced: by hand, in
// random orders of steps in which some ranks miss episodes or leave them early, and between
// threads.

#include "barrier_traffic.hpp"
#include "random_source.hpp"
#include "shared/counting_barrier.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_counting_barrier)

using namespace carpool::shared;
using Outcome = CountingBarrier::Outcome;

namespace {

/// Ranks that advance in single steps. In a spoilt episode one rank does not arrive, and all others
/// leave after some time; in all other episodes ranks wait until the end.
class RandomBarrier {
public:
    explicit RandomBarrier(std::uint64_t seed) : random_(seed), seed_(seed) {
        const int ranks = random_.between(1, 9);
        first_episode_ = random_.one_in(2) ? 0 : random_.between(0, 1 << 30);
        stride_ = 1 << random_.between(0, 5);  // 16 and more lead to the same slot
        for (int i = 0; i < 120; ++i) {
            const bool spoilt = ranks > 1 && random_.one_in(6);
            episodes_.push_back({spoilt ? random_.between(0, ranks - 1) : -1, random_.one_in(3)});
        }
        for (int rank = 0; rank < ranks; ++rank) ranks_.emplace_back(barrier_, ranks);
    }

    /// Whether all ranks get through, with the right outcomes.
    bool run() {
        constexpr int most_steps = 2000000;
        for (int step = 0; step < most_steps; ++step) {
            const auto rank = random_.between(0, static_cast<int>(ranks_.size()) - 1);
            if (!advance(rank)) return false;
            if (std::ranges::all_of(ranks_, [&](const Rank& r) { return is_through(r); }))
                return true;
        }
        return false;
    }

private:
    struct Episode {
        int missing;    ///< the rank that does not arrive; -1 for none
        bool overlaps;  ///< whether the next episode begins before this one ends
    };

    struct Rank {
        Rank(BarrierCounters& barrier, int ranks) : calls(barrier, ranks) {}
        CountingBarrier calls;
        std::size_t next = 0;         ///< next episode of the rank
        std::set<std::size_t> begun;  ///< episodes that have begun and not ended
    };

    bool is_through(const Rank& rank) const {
        return rank.next == episodes_.size() && rank.begun.empty();
    }

    std::int64_t number_of(std::size_t episode) const {
        return first_episode_ + static_cast<std::int64_t>(episode) * stride_;
    }

    bool advance(int number) {
        auto& rank = ranks_[static_cast<std::size_t>(number)];
        const bool may_begin = rank.next < episodes_.size() &&
                               (rank.begun.empty() || (episodes_[rank.next - 1].overlaps &&
                                                       episodes_[*rank.begun.begin()].missing < 0));
        if (may_begin && random_.one_in(2)) {
            begin(rank, number);
            return true;
        }
        return rank.begun.empty() || look(rank);
    }

    void begin(Rank& rank, int number) {
        const auto episode = rank.next++;
        if (episodes_[episode].missing == number) return;
        const int ranks = static_cast<int>(ranks_.size());
        rank.calls.arrive(number_of(episode),
                          BarrierTraffic::number(seed_, static_cast<int>(episode), number, ranks));
        rank.begun.insert(episode);
    }

    /// Looks at a random episode. A spoilt episode is left at some time, but no other episode.
    bool look(Rank& rank) {
        const auto episode = *std::next(
            rank.begun.begin(), random_.between(0, static_cast<int>(rank.begun.size()) - 1));
        const auto outcome = rank.calls.outcome(number_of(episode));
        const bool spoilt = episodes_[episode].missing >= 0;
        if (outcome == Outcome::open && !(spoilt && random_.one_in(8))) return true;
        rank.calls.leave(number_of(episode));
        rank.begun.erase(episode);
        if (spoilt) return outcome == Outcome::open;
        return (outcome == Outcome::balanced) ==
               BarrierTraffic::is_balanced(seed_, static_cast<int>(episode));
    }

    RandomSource random_;
    std::uint64_t seed_;
    std::int64_t first_episode_ = 0, stride_ = 1;
    BarrierCounters barrier_{};
    std::vector<Episode> episodes_;
    std::deque<Rank> ranks_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_episode_is_over_when_all_have_come) {
    BarrierCounters barrier{};
    CountingBarrier one(barrier, 3), two(barrier, 3), three(barrier, 3);
    one.arrive(0, 5);
    two.arrive(0, 7);
    BOOST_TEST((one.outcome(0) == Outcome::open));
    three.arrive(0, std::uint64_t(-12));
    for (auto* calls : {&one, &two, &three}) {
        BOOST_TEST((calls->outcome(0) == Outcome::balanced));
        calls->leave(0);
    }
}

BOOST_AUTO_TEST_CASE(numbers_whose_sum_is_not_zero_are_out_of_balance) {
    BarrierCounters barrier{};
    CountingBarrier one(barrier, 2), two(barrier, 2);
    one.arrive(3, 5);
    two.arrive(3, std::uint64_t(-4));
    BOOST_TEST((one.outcome(3) == Outcome::unbalanced));
    BOOST_TEST((two.outcome(3) == Outcome::unbalanced));
}

/// Episodes 1 and 17 have the same slot.
BOOST_AUTO_TEST_CASE(a_rank_late_for_an_abandoned_episode_spoils_no_later_one) {
    BarrierCounters barrier{};
    CountingBarrier one(barrier, 2), late(barrier, 2);
    one.arrive(1, 0);
    one.leave(1);
    one.arrive(17, 0, {9, 0});
    late.arrive(1, 0, {50, 0});
    BOOST_TEST((late.outcome(1) == Outcome::open));
    late.leave(1);
    late.arrive(17, 0, {4, 0});
    BOOST_TEST((one.outcome(17) == Outcome::balanced));
    BOOST_TEST((late.outcome(17) == Outcome::balanced));
    BOOST_TEST(one.most(17)[0] == 9);
}

BOOST_AUTO_TEST_CASE(a_rank_still_in_an_episode_learns_its_outcome_after_others_are_in_the_next) {
    BarrierCounters barrier{};
    CountingBarrier one(barrier, 2), slow(barrier, 2);
    one.arrive(2, 0);
    slow.arrive(2, 0);
    BOOST_TEST((one.outcome(2) == Outcome::balanced));
    one.leave(2);
    one.arrive(18, 0);
    slow.arrive(18, 0);
    BOOST_TEST((slow.outcome(18) == Outcome::open));
    BOOST_TEST((slow.outcome(2) == Outcome::balanced));
    slow.leave(2);
    BOOST_TEST((slow.outcome(18) == Outcome::balanced));
    BOOST_TEST((one.outcome(18) == Outcome::balanced));
}

BOOST_AUTO_TEST_CASE(the_maximum_is_known_at_the_end_of_an_episode) {
    BarrierCounters barrier{};
    CountingBarrier one(barrier, 2), other(barrier, 2);
    for (const std::int64_t episode : {5, 21, 1 << 20}) {
        one.arrive(episode, 0, {3, 0});
        BOOST_TEST((one.outcome(episode) == Outcome::open));
        other.arrive(episode, 0, {2, std::int64_t{1} << 60});
        BOOST_TEST((one.outcome(episode) == Outcome::balanced));
        const auto most = one.most(episode);
        BOOST_TEST(most[0] == 3);
        BOOST_TEST(most[1] == (std::int64_t{1} << 37) - 1);  // the largest number that fits
        for (auto* calls : {&one, &other}) calls->leave(episode);
    }
}

BOOST_AUTO_TEST_CASE(all_ranks_pass_in_any_order_and_learn_the_true_outcome) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < random_cases(300); ++i)
        BOOST_TEST_REQUIRE(RandomBarrier(seed + i).run(), "CARPOOL_SEED=" << seed + i);
}

BOOST_AUTO_TEST_CASE(threads_find_out_whether_numbers_are_in_balance) {
    const auto seed = first_seed();
    BOOST_TEST_MESSAGE("CARPOOL_SEED=" << seed);
    for (std::uint64_t i = 0; i < 10; ++i) BOOST_TEST(BarrierTraffic(seed + i).run(4, 500) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
