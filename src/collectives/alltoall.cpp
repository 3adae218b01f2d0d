#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace carpool::collectives {
namespace {

void spread(Script& script) {
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        script.send(0, to, {script.own(to)});
        script.receive(0, from, {script.result(from)});
    }
    script.keep_own();
}

/// As spread, but a block leaves only when the last one has come.
void pairwise(Script& script) {
    Part last{};
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        script.send(distance - 1, to, {script.own(to)});
        script.receive(distance - 1, from, {script.result(from)});
        script.await(script.own(to), last);
        if (script.result(from).bytes > 0) last = script.result(from);
    }
    script.keep_own();
}

/// A block that has j ranks to go takes a hop for each digit of j that is not zero (Bruck et al.
/// 1997). Bound with datatypes this is the zero-copy form of Traff, Rougier and Hunold (2014): what
/// comes in for others is never moved, the next message takes it from where it lies.
template <int radix>
void bruck(Script& script) {
    std::vector<Part> held;  // per distance, the block that has it to go, or had
    for (int distance = 0; distance < script.ranks(); ++distance)
        held.push_back(script.own(script.away(distance)));
    int phase = 0;
    for (std::int64_t weight = 1; weight < script.ranks(); weight *= radix, ++phase) {
        for (std::int64_t digit = 1; digit < radix && digit * weight < script.ranks(); ++digit) {
            Parts leaving;
            Parts coming;
            for (auto j = digit * weight; j < script.ranks(); ++j) {
                if (j / weight % radix != digit) continue;
                auto& part = held[static_cast<std::size_t>(j)];
                leaving.push_back(part);
                const bool ends_here = j / weight < radix;
                part = ends_here ? script.result(script.away(-j)) : script.temp(part.bytes);
                coming.push_back(part);
            }
            script.send(phase, script.away(digit * weight), leaving);
            script.receive(phase, script.away(-digit * weight), coming);
        }
    }
    script.keep_own();
}

/// The parts of all ranks but one.
Parts parts_of_others(const Script& script, int rank, const auto& part_of) {
    Parts parts;
    for (int other = 0; other < script.ranks(); ++other)
        if (other != rank) parts.push_back(part_of(other));
    return parts;
}

/// Through one rank that sorts all blocks: the fewest messages that there can be.
template <int radix>
void by_root(Script& script) {
    const auto tree = tree_of<radix>(script);
    // the root's, by source and target
    std::vector<Parts> from(static_cast<std::size_t>(script.ranks()));
    gather(script, tree, [&](int source) {
        const auto blocks = parts_of_others(script, source, [&](int target) {
            if (source == script.rank()) return script.own(target);
            return tree.is_root() && target == 0 ? script.result(source)
                                                 : script.temp(script.problem().block());
        });
        return from[static_cast<std::size_t>(source)] = blocks;
    });
    scatter(script, tree, [&](int target) {
        return parts_of_others(script, target, [&](int source) {
            if (target == script.rank()) return script.result(source);
            if (!tree.is_root()) return script.temp(script.problem().block());
            return from[static_cast<std::size_t>(source)]
                       [static_cast<std::size_t>(target < source ? target : target - 1)];
        });
    });
    script.keep_own();
}

const std::array list{
    Algorithm{Kind::alltoall, "spread", always, whole, spread, all_to_all},
    Algorithm{Kind::alltoall, "pairwise", always, whole, pairwise, all_to_all},
    Algorithm{Kind::alltoall, "bruck", if_regular, whole, bruck<2>, messages_of_bruck<2>},
    Algorithm{Kind::alltoall, "4-bruck", if_regular, whole, bruck<4>, messages_of_bruck<4>},
    Algorithm{Kind::alltoall, "gather-scatter", if_few_and_regular, whole, by_root<2>, both_ways},
    Algorithm{Kind::alltoall, "star", if_few_and_regular, whole, by_root<0>, both_ways},
};

}  // namespace

std::span<const Algorithm> alltoall_algorithms() { return list; }

}  // namespace carpool::collectives
