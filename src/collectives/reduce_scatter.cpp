#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/doubling.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/ring.hpp"
#include "collectives/spread.hpp"
#include "collectives/tree_stages.hpp"

#include <array>

namespace carpool::collectives {
namespace {

/// Blocks go straight to their ranks, who sum in the order of ranks.
void spread(Script& script) {
    script.conclude(sum_spread(script, script.all_own()), script.result());
}

void ring(Script& script) {
    script.conclude(sum_round_ring(script, script.all_own()), script.result());
}

void recursive_halving(Script& script) {
    const Folding folding(script.ranks());
    const auto bits = bits_of(script.problem());
    const auto folded = fold(script, folding, script.all_own());
    const auto own = sum_scattered(script, folding, bits, by_group(folding, folded));
    Parts handed;
    if (!own.empty()) script.conclude(own.front(), script.result());
    if (own.size() > 1) handed.push_back(script.sum(own.back()));
    unfold(script, folding, handed, {script.result()});
}

template <int radix>
void by_root(Script& script) {
    const auto tree = tree_of<radix>(script);
    const auto summands = reduce(script, tree, script.all_own());
    scatter(script, tree, [&](int rank) -> Parts {
        if (!tree.is_root())
            return {rank == script.rank() ? script.result()
                                          : script.temp(script.problem().block(rank))};
        const auto& of = summands[static_cast<std::size_t>(rank)];
        if (rank != script.rank()) return {script.sum(of)};
        script.conclude(of, script.result());
        return {script.result()};
    });
}

const std::array list{
    Algorithm{Kind::reduce_scatter, "spread", always, whole, spread, all_to_all},
    Algorithm{Kind::reduce_scatter, "recursive-halving", always, whole, recursive_halving,
              messages_of_doubling},
    Algorithm{Kind::reduce_scatter, "ring", if_commutes, whole, ring, all_to_all},
    Algorithm{Kind::reduce_scatter, "reduce-scatter", if_few, whole, by_root<2>, both_ways},
    Algorithm{Kind::reduce_scatter, "star", if_few, whole, by_root<0>, both_ways},
};

}  // namespace

std::span<const Algorithm> reduce_scatter_algorithms() { return list; }

}  // namespace carpool::collectives
