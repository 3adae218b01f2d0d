#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>

namespace carpool::collectives {
namespace {

template <int radix>
void gather(Script& script) {
    const auto tree = tree_of<radix>(script, script.problem().root);
    gather_blocks(script, tree);
    if (tree.is_root()) script.keep_own();
}

template <int radix>
void scatter(Script& script) {
    const auto tree = tree_of<radix>(script, script.problem().root);
    scatter(script, tree, [&](int rank) -> Parts {
        if (tree.is_root()) return {script.own(rank)};
        return {rank == script.rank() ? script.result()
                                      : script.temp(script.problem().block(rank))};
    });
    if (tree.is_root()) script.keep_own();
}

constexpr std::array gathers{
    Algorithm{Kind::gather, "linear", always, whole, gather<0>, one_way},
    Algorithm{Kind::gather, "binomial", always, whole, gather<2>, one_way},
};

constexpr std::array scatters{
    Algorithm{Kind::scatter, "linear", always, whole, scatter<0>, one_way},
    Algorithm{Kind::scatter, "binomial", always, whole, scatter<2>, one_way},
};

}  // namespace

std::span<const Algorithm> gather_algorithms() { return gathers; }
std::span<const Algorithm> scatter_algorithms() { return scatters; }

}  // namespace carpool::collectives
