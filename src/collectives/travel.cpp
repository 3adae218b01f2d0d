#include "collectives/travel.hpp"

#include "routing/digits.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace carpool::collectives {
namespace {

/// The messages of one phase on one rank, by peer.
struct Traffic {
    std::map<int, Parts> leaving;
    std::map<int, Parts> coming;
};

/// The blocks for one target that one rank has to follow.
class ForwardedBlocks {
public:
    ForwardedBlocks(Script& script, const routing::NextHop& next_hop, int target)
        : script_(script), next_hop_(next_hop), target_(target), last_(last_rest()) {
        if (target != script.rank()) held_[script.rank()] = script.own(target);
        for (int origin = 0; origin < script.ranks(); ++origin)
            if (origin != target && (last_ >= 0 || origin == script.rank()))
                travellers_.push_back({origin, origin});
    }

    /// Both ends list blocks by target, then origin.
    void advance(int phase, Traffic& traffic) {
        if (phase > last_ + 1) return;
        for (auto& [origin, at] : travellers_) {
            const int from = std::exchange(at, next_hop_.next(phase, at, target_));
            if (from == at) continue;
            if (from == script_.rank()) traffic.leaving[at].push_back(held_.at(origin));
            if (at == script_.rank()) traffic.coming[from].push_back(held_[origin] = place(origin));
        }
    }

private:
    struct PlanBuilder {
        int origin;
        int at;
    };

    /// The last phase in which a block may arrive on this rank: a block that is here stays here in
    /// that phase. -1 if there is none.
    int last_rest() const {
        int phase = next_hop_.phases - 1;
        while (phase >= 0 && next_hop_.next(phase, script_.rank(), target_) != script_.rank())
            --phase;
        return phase;
    }

    Part place(int origin) {
        return target_ == script_.rank() ? script_.result(origin) : script_.temp();
    }

    Script& script_;
    const routing::NextHop& next_hop_;
    int target_;
    int last_;
    std::vector<PlanBuilder> travellers_;
    std::map<int, Part> held_;  // by origin, the place of a block that is here or was
};

/// Messages of ranks in lines that are as equal in length as can be: each rank sends to all others
/// in its line.
std::int64_t along_lines(std::int64_t ranks, std::int64_t lines) {
    const auto length = ranks / lines;
    const auto longer = ranks % lines;
    return longer * (length + 1) * length + (lines - longer) * length * (length - 1);
}

}  // namespace

void travel(Script& script, const routing::NextHop& next_hop) {
    std::vector<Traffic> phases(static_cast<std::size_t>(next_hop.phases));
    for (int target = 0; target < script.ranks(); ++target) {
        ForwardedBlocks forwarded(script, next_hop, target);
        for (int phase = 0; phase < next_hop.phases; ++phase)
            forwarded.advance(phase, phases[static_cast<std::size_t>(phase)]);
    }
    for (int phase = 0; phase < next_hop.phases; ++phase) {
        const auto& [leaving, coming] = phases[static_cast<std::size_t>(phase)];
        for (const auto& [to, parts] : leaving) script.send(phase, to, parts);
        for (const auto& [from, parts] : coming) script.receive(phase, from, parts);
    }
    script.keep_own();
}

void travel_by_digits(Script& script, const std::vector<int>& factors) {
    std::vector<Part> held;  // per distance, the block that has or had so far to go
    for (int distance = 0; distance < script.ranks(); ++distance)
        held.push_back(script.own(script.away(distance)));
    int phase = 0;
    for (const auto& [weight, next, factor] : routing::digits_of(factors)) {
        for (auto hop = weight; hop < std::min<std::int64_t>(next, script.ranks()); hop += weight) {
            Parts leaving;
            Parts coming;
            for (auto first = hop; first < script.ranks(); first += next)
                for (auto j = first; j < std::min<std::int64_t>(first + weight, script.ranks());
                     ++j) {
                    auto& part = held[static_cast<std::size_t>(j)];
                    leaving.push_back(part);
                    const bool ends_here = j < next;
                    part = ends_here ? script.result(script.away(-j)) : script.temp_like(part);
                    coming.push_back(part);
                }
            script.send(phase, script.away(hop), leaving);
            script.receive(phase, script.away(-hop), coming);
        }
        ++phase;
    }
    script.keep_own();
}

std::int64_t messages_by_digits(int ranks, const std::vector<int>& factors) {
    std::int64_t per_rank = 0;
    for (const auto& digit : routing::digits_of(factors))
        per_rank += std::min<std::int64_t>(digit.factor - 1, (ranks - 1) / digit.weight);
    return per_rank * ranks;
}

std::int64_t messages_on_mesh(int ranks) {
    const auto columns = routing::side_of(ranks, 2);
    return std::int64_t{ranks} * (columns - 1) + along_lines(ranks, columns);
}

std::int64_t messages_on_grid(int ranks) {
    const std::int64_t side = routing::side_of(ranks, 3);
    if (ranks <= side * side) return messages_on_mesh(ranks);
    return ranks * 2 * (side - 1) + along_lines(ranks, side * side);
}

std::int64_t messages_on_hypercube(int ranks) {
    const int dimensions = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    const std::int64_t inside = std::int64_t{1} << dimensions;
    return inside * dimensions + 2 * (ranks - inside);
}

}  // namespace carpool::collectives
