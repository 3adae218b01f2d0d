// SPDX-License-Identifier: MIT
#include "schedule/place_sums.hpp"

#include "schedule/presence.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace carpool::schedule {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

constexpr Slot result{Slot::Kind::recv, 0};

/// The moves that start and end on this rank: those with a stop whose root, and a leaf of which,
/// are on the grid. Stops that share a sum may have different roots, but for each root that exists
/// the sum is the same: that of all leaves that exist.
struct Traffic {
    std::vector<bool> sent;      // per move
    std::vector<bool> received;  // per move
};

Traffic traffic_of(const routing::Plan& tree, const routing::PartialSums& sums,
                   const Presence& presence) {
    Traffic traffic{std::vector<bool>(sums.moves().size()), std::vector<bool>(sums.moves().size())};
    for (int stop = tree.blocks(); stop < tree.stops(); ++stop) {
        const auto move = index(sums.move_of_stop(stop));
        if (presence.arrives(stop)) traffic.sent[move] = true;
        if (presence.leaves(stop)) traffic.received[move] = true;
    }
    return traffic;
}

/// Writes the partial sums of one rank.
class Placement {
public:
    Placement(const routing::Plan& tree, const routing::PartialSums& sums, Traffic traffic,
              std::int64_t bytes, Schedule& schedule)
        : tree_(tree),
          sums_(sums),
          traffic_(std::move(traffic)),
          bytes_(bytes),
          schedule_(schedule),
          value_(sums.sums().size()),
          arrival_(sums.moves().size()) {}

    /// Goes from the last round of the tree to the first: sums follow the receives that they add,
    /// and sends follow both.
    void place(const topology::Grid& grid, std::span<const int> here) {
        const int root = sums_.sum_of_stop(0);
        if (const auto only = only_arrival(root)) arrival_[index(*only)] = result;
        auto end = sums_.moves().size();
        for (int round = tree_.rounds() - 1; round >= 0; --round) {
            auto begin = end;
            while (begin > 0 && sums_.moves()[begin - 1].round == round) --begin;
            add_round(round, begin, end, grid, here);
            end = begin;
        }
        add_result(root);
    }

private:
    void add_round(int round, std::size_t begin, std::size_t end, const topology::Grid& grid,
                   std::span<const int> here) {
        Round placed{tree_.phases() - 1 - tree_.phase(round),
                     {grid.rank_at(here, tree_.hop(round)), {}},
                     {grid.rank_at(here, tree_.hop(round), -1), {}}};
        for (auto move = begin; move < end; ++move) {
            if (traffic_.sent[move])
                placed.send.parts.push_back({value_of(sums_.moves()[move].sum), bytes_});
            if (traffic_.received[move])
                placed.receive.parts.push_back({slot_of_arrival(move), bytes_});
        }
        schedule_.rounds.push_back(std::move(placed));
    }

    Slot slot_of_arrival(std::size_t move) {
        if (!arrival_[move]) arrival_[move] = Slot{Slot::Kind::temp, schedule_.temp_slots++};
        return *arrival_[move];
    }

    /// All summands of a sum on this rank: its own blocks, then what it receives.
    std::vector<Slot> summands(int sum) {
        std::vector<Slot> slots;
        for (const int position : sums_.sums()[index(sum)].positions)
            slots.push_back({Slot::Kind::send, position});
        for (const int move : sums_.sums()[index(sum)].arrivals)
            if (traffic_.received[index(move)]) slots.push_back(slot_of_arrival(index(move)));
        return slots;
    }

    /// The slot of a sum, which is made when first needed; a single summand is its own sum.
    Slot value_of(int sum) {
        auto& value = value_[index(sum)];
        if (value) return *value;
        auto of = summands(sum);
        if (of.size() == 1) return *(value = of.front());
        value = Slot{Slot::Kind::temp, schedule_.temp_slots++};
        schedule_.sums.push_back({std::move(of), *value, bytes_});
        return *value;
    }

    /// The move that brings the only summand of a sum on this rank; nothing if there are others.
    std::optional<int> only_arrival(int sum) const {
        const auto& [positions, arrivals] = sums_.sums()[index(sum)];
        std::optional<int> only;
        for (const int move : arrivals) {
            if (!traffic_.received[index(move)]) continue;
            if (only) return std::nullopt;
            only = move;
        }
        return positions.empty() ? only : std::nullopt;
    }

    void add_result(int root) {
        auto of = summands(root);
        if (of.size() > 1)
            schedule_.sums.push_back({std::move(of), result, bytes_});
        else if (of.size() == 1 && of.front() != result)
            schedule_.copies.push_back({of.front(), result, bytes_});
    }

    const routing::Plan& tree_;
    const routing::PartialSums& sums_;
    Traffic traffic_;
    std::int64_t bytes_;
    Schedule& schedule_;
    std::vector<std::optional<Slot>> value_;    // per sum
    std::vector<std::optional<Slot>> arrival_;  // per move
};

/// Makes receive slots temporary ones. Returns where the block of each position lies when all
/// have arrived, nothing for a position without a source.
std::vector<std::optional<Slot>> make_receives_temporary(Schedule& gathered) {
    std::vector<std::optional<Slot>> place(index(gathered.recv_slots));
    const auto make_temporary = [&](Slot& slot) {
        if (slot.kind != Slot::Kind::recv) return;
        const int position = slot.position;
        slot = {Slot::Kind::temp, gathered.temp_slots + position};
        place[index(position)] = slot;
    };
    for (auto& round : gathered.rounds) {
        for (auto& part : round.receive.parts) make_temporary(part.slot);
        for (auto& part : round.send.parts) make_temporary(part.slot);
    }
    for (const auto& copy : gathered.copies) {
        const auto& from = copy.from;
        place[index(copy.to.position)] =
            from.kind == Slot::Kind::recv ? place[index(from.position)] : std::optional(from);
    }
    gathered.copies.clear();
    gathered.temp_slots += gathered.recv_slots;
    gathered.recv_slots = 1;
    return place;
}

}  // namespace

Schedule place_sums(const routing::Plan& tree, const routing::PartialSums& sums,
                    const topology::Grid& grid, const topology::Neighborhood& neighborhood,
                    int rank, Operation operation, std::int64_t bytes) {
    Schedule schedule;
    schedule.send_slots = sends_one_block(operation) ? 1 : neighborhood.size();
    schedule.recv_slots = 1;
    const auto here = grid.coordinates(rank);
    const Presence presence(tree, grid, neighborhood, here, Presence::Way::inward);
    if (bytes > 0)
        Placement(tree, sums, traffic_of(tree, sums, presence), bytes, schedule).place(grid, here);
    return schedule;
}

Schedule sum_at_end(Schedule gathered, std::int64_t bytes) {
    std::vector<Slot> of;
    for (const auto& place : make_receives_temporary(gathered))
        if (place) of.push_back(*place);
    if (of.size() == 1)
        gathered.copies.push_back({of.front(), result, bytes});
    else if (!of.empty())
        gathered.sums.push_back({std::move(of), result, bytes});
    return gathered;
}

}  // namespace carpool::schedule
