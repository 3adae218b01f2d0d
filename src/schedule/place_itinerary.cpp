#include "schedule/place_itinerary.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

using routing::Itinerary;
using Ride = Itinerary::Ride;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The rounds of rides. A phase has as many as this rank has messages in its busier direction.
template <typename Sent, typename Received>
std::vector<Round> rounds_of(std::span<const Ride> sends, std::span<const Ride> receives, Sent sent,
                             Received received) {
    std::vector<Round> rounds;
    std::size_t s = 0;
    std::size_t r = 0;
    while (s < sends.size() || r < receives.size()) {
        const int phase = s == sends.size()      ? receives[r].phase
                          : r == receives.size() ? sends[s].phase
                                                 : std::min(sends[s].phase, receives[r].phase);
        auto& round = rounds.emplace_back(Round{phase, {-1, {}}, {-1, {}}});
        if (s < sends.size() && sends[s].phase == phase) round.send = sent(sends[s++]);
        if (r < receives.size() && receives[r].phase == phase)
            round.receive = received(receives[r++]);
    }
    return rounds;
}

/// Makes the schedule of an itinerary. Blocks without bytes are left out.
class Placement {
public:
    /// @param bytes  of all blocks, or by their labels; none for units of the blocks' own weights
    Placement(const Itinerary& itinerary, std::span<const std::int64_t> bytes,
              std::int64_t unit = 1)
        : itinerary_(itinerary),
          bytes_(bytes),
          unit_(unit),
          slots_(index(itinerary.stops()), nowhere) {
        for (int stop = 0; stop < itinerary.blocks(); ++stop)
            slots_[index(stop)] = {Slot::Kind::send, stop};
        for (const auto& [stop, position] : itinerary.deliveries())
            if (slots_[index(stop)] == nowhere) slots_[index(stop)] = {Slot::Kind::recv, position};
        for (std::size_t stop = 0; stop < slots_.size(); ++stop) {
            if (slots_[stop] != nowhere) continue;
            slots_[stop].position = static_cast<int>(temp_blocks_.size());
            temp_blocks_.push_back(itinerary.label(static_cast<int>(stop)));
        }
    }

    void run(Schedule& schedule) const {
        schedule.temp_slots = static_cast<int>(temp_blocks_.size());
        schedule.temp_blocks = temp_blocks_;
        schedule.rounds = rounds();
        schedule.copies = copies();
    }

private:
    static constexpr Slot nowhere{Slot::Kind::temp, -1};

    std::vector<Round> rounds() const {
        const auto loaded = [this](const Ride& ride) {
            Message message{ride.peer, {}};
            message.parts.reserve(ride.stops.size());
            for (const int stop : ride.stops)
                if (const auto bytes = bytes_at(stop); bytes > 0)
                    message.parts.push_back({slots_[index(stop)], bytes});
            return message;
        };
        return rounds_of(itinerary_.sends(), itinerary_.receives(), loaded, loaded);
    }

    std::vector<Copy> copies() const {
        std::vector<Copy> copies;
        for (const auto& [stop, position] : itinerary_.deliveries()) {
            const Slot to{Slot::Kind::recv, position};
            const auto bytes = bytes_at(stop);
            if (slots_[index(stop)] != to && bytes > 0)
                copies.push_back({slots_[index(stop)], to, bytes});
        }
        return copies;
    }

    std::int64_t bytes_at(int stop) const {
        if (bytes_.empty()) return itinerary_.bytes(stop) * unit_;
        return bytes_.size() == 1 ? bytes_.front() : bytes_[index(itinerary_.label(stop))];
    }

    const Itinerary& itinerary_;
    std::span<const std::int64_t> bytes_;
    std::int64_t unit_;
    std::vector<Slot> slots_;
    std::vector<int> temp_blocks_;  // per temporary slot, the label of its block
};

/// An itinerary run backwards: what it received is sent, what it sent is received and summed.
class Backwards {
public:
    Backwards(const Itinerary& itinerary, Operation operation, int phases, std::int64_t bytes)
        : itinerary_(itinerary),
          phases_(phases),
          bytes_(bytes),
          summands_(index(itinerary.stops())) {
        for (const auto& [stop, position] : itinerary.deliveries())
            summands_[index(stop)].push_back(
                {Slot::Kind::send, sends_one_block(operation) ? 0 : position});
    }

    void run(Schedule& schedule) {
        const int last = phases_ - 1;
        auto sends = turned(itinerary_.receives(), last);
        auto receives = turned(itinerary_.sends(), last);
        for (const auto& ride : receives) arrivals_.push_back(arrivals_of(ride));
        add_result(schedule);
        std::size_t next = 0;
        schedule.rounds = rounds_of(
            sends, receives,
            [&](const Ride& ride) {
                Message message{ride.peer, {}};
                for (const int stop : ride.stops)
                    message.parts.push_back({sum_of(stop, schedule), bytes_});
                return message;
            },
            [&](const Ride& ride) { return Message{ride.peer, std::move(arrivals_[next++])}; });
        schedule.temp_slots = temps_;
    }

private:
    static constexpr Slot result{Slot::Kind::recv, 0};

    static std::vector<Ride> turned(std::span<const Ride> rides, int last) {
        std::vector<Ride> turned(rides.begin(), rides.end());
        for (auto& ride : turned) ride.phase = last - ride.phase;
        std::stable_sort(turned.begin(), turned.end(), [](const Ride& a, const Ride& b) {
            return std::pair(a.phase, a.peer) < std::pair(b.phase, b.peer);
        });
        return turned;
    }

    std::vector<Part> arrivals_of(const Ride& ride) {
        std::vector<Part> parts;
        for (const int stop : ride.stops) {
            const Slot slot = is_only_one(stop) ? result : Slot{Slot::Kind::temp, temps_++};
            summands_[index(stop)].push_back(slot);
            parts.push_back({slot, bytes_});
        }
        return parts;
    }

    /// Whether the only summand of this stop is the result.
    bool is_only_one(int stop) const {
        if (stop != 0 || !summands_[0].empty()) return false;
        int rides = 0;
        for (const auto& ride : itinerary_.sends())
            rides += static_cast<int>(std::count(ride.stops.begin(), ride.stops.end(), 0));
        return rides == 1;
    }

    /// The slot of the sum of a stop; a single summand is its own sum.
    Slot sum_of(int stop, Schedule& schedule) {
        auto& of = summands_[index(stop)];
        if (of.size() == 1) return of.front();
        const Slot sum{Slot::Kind::temp, temps_++};
        schedule.sums.push_back({std::move(of), sum, bytes_});
        of = {sum};
        return sum;
    }

    void add_result(Schedule& schedule) {
        auto& of = summands_[0];
        if (of.size() > 1)
            schedule.sums.push_back({std::move(of), result, bytes_});
        else if (of.size() == 1 && of.front() != result)
            schedule.copies.push_back({of.front(), result, bytes_});
    }

    const Itinerary& itinerary_;
    int phases_;
    std::int64_t bytes_;
    std::vector<std::vector<Slot>> summands_;  // per stop
    std::vector<std::vector<Part>> arrivals_;  // per receive
    int temps_ = 0;
};

}  // namespace

Schedule place(const Itinerary& itinerary, Operation operation, const topology::Adjacency& edges,
               std::int64_t phases, std::span<const std::int64_t> bytes) {
    Schedule schedule;
    schedule.send_slots = sends_one_block(operation) ? 1 : static_cast<int>(edges.out.size());
    schedule.recv_slots = reduces(operation) ? 1 : static_cast<int>(edges.in.size());
    if (std::all_of(bytes.begin(), bytes.end(), [](auto block) { return block == 0; }))
        return schedule;
    if (reduces(operation))
        Backwards(itinerary, operation, static_cast<int>(phases), bytes.front()).run(schedule);
    else
        Placement(itinerary, bytes).run(schedule);
    return schedule;
}

Schedule place_weighed(const Itinerary& itinerary, const topology::Adjacency& edges,
                       std::int64_t unit) {
    Schedule schedule;
    schedule.send_slots = static_cast<int>(edges.out.size());
    schedule.recv_slots = static_cast<int>(edges.in.size());
    if (unit > 0) Placement(itinerary, {}, unit).run(schedule);
    return schedule;
}

}  // namespace carpool::schedule
