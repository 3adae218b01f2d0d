// SPDX-License-Identifier: MIT
#include "call/measurement.hpp"

#include "agree/allreduce.hpp"
#include "agree/typed_memory.hpp"
#include "base/rank_visitor.hpp"
#include "engine/exchange.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace carpool::call {
namespace {

using Clock = std::chrono::steady_clock;
using mpi::Block;
using mpi::Shape;

/// The same blocks in other memory. A block at MPI_BOTTOM has absolute addresses in its datatype,
/// and one that lies by its layout alone may be a few bytes all over an array: both become bytes.
std::vector<Block> moved(const std::vector<Block>& blocks, bool as_bytes,
                         agree::TypedMemory& memory) {
    std::vector<Shape> shapes;
    for (const auto& [address, shape, device] : blocks) {
        const bool in_bytes =
            shape && (as_bytes || address == MPI_BOTTOM || shape.is_layout_alone());
        shapes.push_back(in_bytes ? Shape(shape.bytes(), MPI_BYTE) : shape);
    }
    memory = agree::TypedMemory(shapes);
    return memory.blocks();
}

/// A contender on memory of the library's own. Reductions work on bytes, since a user's operator
/// may fail on what is in unused memory.
class Rehearsal {
public:
    Rehearsal(const CandidateSchedule& candidate, const Family& family, const Ticket& ticket) {
        auto [contender, schedule] = candidate;
        unused_.summary = family.summary(contender.number, contender.load);
        auto [real, manner] = family.parts(contender.number, schedule, unused_, ticket.tag);
        const bool reduces = !real.ops.empty();
        const engine::Buffers buffers{.send = moved(real.send, reduces, send_),
                                      .recv = moved(real.recv, reduces, recv_),
                                      .temp = moved(real.temp, reduces, temp_),
                                      .ops = std::vector<MPI_Op>(real.ops.size(), MPI_BOR),
                                      .sources = std::move(real.sources)};
        if (contender.swapped_transport) manner.transport = engine::TransportChoice::other;
        what_ = engine::exchange_of(*ticket.state, schedule, buffers, manner);
    }

    /// The host MPI's collective.
    explicit Rehearsal(std::unique_ptr<engine::Communication> host) : what_(std::move(host)) {}

    void start(int tag) { what_->start(tag); }
    bool test() { return what_->advance(); }
    void withdraw() { what_->withdraw(); }
    void visit_awaited(const base::RankVisitor& visit) const { what_->visit_awaited(visit); }

private:
    BoundCall unused_;
    agree::TypedMemory send_, recv_, temp_;
    std::unique_ptr<engine::Communication> what_;
};

using Rehearsals = std::vector<std::unique_ptr<Rehearsal>>;

/// The rehearsals of all schedules; none if this rank has no memory for them.
Rehearsals rehearsals_of(const std::vector<CandidateSchedule>& schedules, const Family& family,
                         const Ticket& ticket) {
    Rehearsals result;
    const auto failure = mpi::mistake_in([&] {
        for (const auto& candidate : schedules)
            result.push_back(std::make_unique<Rehearsal>(candidate, family, ticket));
    });
    if (failure) result.clear();
    return result;
}

/// How long each contender takes on this rank, and which are still in the race (the same on all
/// ranks).
class Race {
public:
    /// @param seed  the same on all ranks
    Race(std::size_t runners, unsigned seed) : seconds_(runners), running_(runners), random_(seed) {
        std::iota(running_.begin(), running_.end(), std::size_t{0});
    }

    /// The contenders still in the race, in another order each time.
    std::vector<std::size_t> shuffled() {
        auto order = running_;
        for (auto i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
        return order;
    }

    void add(std::size_t runner, double seconds) { seconds_[runner].push_back(seconds); }

    /// The median of each contender's times; 0 for one that has left the race.
    std::vector<double> medians() const {
        std::vector<double> result;
        for (auto times : seconds_) {
            const auto middle = times.begin() + std::ssize(times) / 2;
            if (middle != times.end()) std::nth_element(times.begin(), middle, times.end());
            result.push_back(middle != times.end() ? *middle : 0);
        }
        return result;
    }

    /// @param slowest  for each contender, the largest median of all ranks
    void leave_behind(const std::vector<double>& slowest) {
        constexpr double far = 3;
        const double least = slowest[best(slowest)];
        std::erase_if(running_, [&](std::size_t one) { return slowest[one] > far * least; });
        for (auto& times : seconds_) times.clear();
    }

    bool decided() const { return running_.size() == 1; }

    /// @param slowest  as above
    std::size_t winner(const std::vector<double>& slowest) const {
        constexpr double clearly = 0.95;
        const auto fastest = best(slowest);
        const bool first_runs = running_.front() == 0;
        return first_runs && slowest[fastest] > clearly * slowest[0] ? 0 : fastest;
    }

private:
    std::size_t best(const std::vector<double>& slowest) const {
        return *std::ranges::min_element(running_, {}, [&](auto one) { return slowest[one]; });
    }

    std::vector<std::vector<double>> seconds_;
    std::vector<std::size_t> running_;
    std::minstd_rand random_;  // gives the same numbers with all libraries
};

/// Times each start from the end of a barrier, as after a balanced computation. The first starts of
/// the race are cold.
/// @param in_a_row  so many starts follow each barrier, and their mean counts
engine::Steps<void> time_in_random_order(Rehearsals& rehearsals, Race& race,
                                         agree::Allreduce<std::int64_t>& barrier,
                                         const Ticket& ticket, int in_a_row) {
    constexpr int rows = 3;
    for (const auto runner : race.shuffled())
        for (int row = 0; row < rows; ++row) {
            barrier.start(ticket.tag);
            co_await engine::until(barrier);
            const auto began = Clock::now();
            for (int start = 0; start < in_a_row; ++start) {
                rehearsals[runner]->start(ticket.tag);
                co_await engine::until(*rehearsals[runner]);
            }
            const std::chrono::duration<double> taken = Clock::now() - began;
            race.add(runner, taken.count() / in_a_row);
        }
}

/// The maximum of each number over all ranks.
engine::Steps<std::vector<double>> most_of_all(std::vector<double> own, const Ticket& ticket) {
    agree::Allreduce<double> allreduce(*ticket.state, std::move(own), MPI_MAX, "reduce-bcast");
    allreduce.start(ticket.tag);
    co_await engine::until(allreduce);
    co_return allreduce.result();
}

}  // namespace

engine::Steps<Measurement> fastest(const std::vector<CandidateSchedule>& schedules,
                                   const Family& family, const CallContext& context,
                                   const Selection& selection) {
    constexpr int rounds = 5;
    constexpr double is_long = 2e-3;  // seconds, for which one more round is enough
    const auto& ticket = context.ticket;
    const bool with_host = selection.host_contends;
    const int in_a_row =
        selection.runs_ahead ? 4 : 1;  // so that a rank that need not wait gains by it
    auto rehearsals = rehearsals_of(schedules, family, ticket);
    std::vector<double> failure(1, rehearsals.empty() ? 1 : 0);
    const auto failures = co_await most_of_all(std::move(failure), ticket);
    if (failures.front() > 0) co_return Measurement{};
    if (with_host)
        rehearsals.push_back(
            std::make_unique<Rehearsal>(family.at_host(comm_of_host(ticket), HostUse::rehearsal)));
    Race race(rehearsals.size(), static_cast<unsigned>(ticket.number));
    agree::Allreduce<std::int64_t> barrier(*ticket.state, std::vector<std::int64_t>(1), MPI_SUM);
    co_await time_in_random_order(rehearsals, race, barrier, ticket, in_a_row);
    auto medians = race.medians();
    const auto slowest = co_await most_of_all(std::move(medians), ticket);
    const double host_seconds = with_host ? slowest.back() : 0;
    race.leave_behind(slowest);
    const int rounds_left = slowest[race.winner(slowest)] > is_long ? 1 : rounds;
    for (int round = 0; round < rounds_left && !race.decided(); ++round)
        co_await time_in_random_order(rehearsals, race, barrier, ticket, in_a_row);
    if (race.decided()) co_return Measurement{race.winner(slowest), host_seconds};
    auto medians_later = race.medians();
    const auto slowest_later = co_await most_of_all(std::move(medians_later), ticket);
    const bool host_raced = with_host && slowest_later.back() > 0;
    co_return Measurement{race.winner(slowest_later),
                          host_raced ? slowest_later.back() : host_seconds};
}

}  // namespace carpool::call
