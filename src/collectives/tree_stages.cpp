#include "collectives/tree_stages.hpp"

#include <algorithm>
#include <utility>

namespace carpool::collectives {
namespace {

/// The parts of all ranks of a subtree, by their distance from the root.
class Subtree {
public:
    Subtree(const Tree& tree, const PartsOf& held) : first_(tree.self().first) {
        for (int i = 0; i < tree.self().count; ++i)
            parts_.push_back(held(tree.rank_at(first_ + i)));
    }

    Parts of(const Tree::Branch& branch) const {
        Parts all;
        for (int i = 0; i < branch.count; ++i)
            append(all, parts_[static_cast<std::size_t>(branch.first - first_ + i)]);
        return all;
    }

private:
    int first_;
    std::vector<Parts> parts_;
};

/// The phase in which a branch is served on the way down, where far branches come first.
int phase_down(const Tree& tree, const Tree::Branch& branch) {
    return tree.depth() - 1 - branch.level;
}

}  // namespace

void broadcast(Script& script, const Tree& tree, const Parts& parts) {
    if (tree.parent()) script.receive(phase_down(tree, tree.self()), *tree.parent(), parts);
    const auto& children = tree.children();
    for (auto child = children.rbegin(); child != children.rend(); ++child)
        script.send(phase_down(tree, *child), child->rank, parts);
    script.pass(tree.depth());
}

void gather(Script& script, const Tree& tree, const PartsOf& held) {
    const Subtree subtree(tree, held);
    for (const auto& child : tree.children())
        script.receive(child.level, child.rank, subtree.of(child));
    if (tree.parent()) script.send(tree.self().level, *tree.parent(), subtree.of(tree.self()));
    script.pass(tree.depth());
}

PartsOf blocks_to_gather(Script& script, bool at_root) {
    return [&script, self = script.rank(), at_root](int rank) -> Parts {
        if (rank == self) return {script.own()};
        return {at_root ? script.result(rank) : script.temp_for(rank)};
    };
}

void gather_blocks(Script& script, const Tree& tree) {
    gather(script, tree, blocks_to_gather(script, tree.is_root()));
}

void scatter(Script& script, const Tree& tree, const PartsOf& held) {
    const Subtree subtree(tree, held);
    if (tree.parent())
        script.receive(phase_down(tree, tree.self()), *tree.parent(), subtree.of(tree.self()));
    const auto& children = tree.children();
    for (auto child = children.rbegin(); child != children.rend(); ++child)
        script.send(phase_down(tree, *child), child->rank, subtree.of(*child));
    script.pass(tree.depth());
}

/// Summands are in the order of ranks. If the order does not matter, this rank's own is the last
/// one: sums begin with their last summand, and that one is available before any message has
/// arrived.
std::vector<Parts> reduce(Script& script, const Tree& tree, const Parts& own) {
    const auto& problem = script.problem();
    std::vector<std::pair<int, Parts>> by_rank{
        {problem.commutes ? problem.ranks : script.rank(), own}};
    for (const auto& child : tree.children()) {
        by_rank.emplace_back(child.rank, script.temps_like(own));
        script.receive(child.level, child.rank, by_rank.back().second);
    }
    std::sort(by_rank.begin(), by_rank.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Parts> summands(own.size());
    for (const auto& [rank, parts] : by_rank)
        for (std::size_t i = 0; i < parts.size(); ++i) summands[i].push_back(parts[i]);
    if (tree.parent()) {
        script.send(tree.self().level, *tree.parent(), script.sums(summands));
        summands.clear();
    }
    script.pass(tree.depth());
    return summands;
}

void reduce_bcast(Script& script, const Tree& tree) {
    const auto summands = reduce(script, tree, {script.own()});
    if (tree.is_root()) script.conclude(summands.front(), script.result());
    broadcast(script, tree, {script.result()});
}

void forward(Script& script, int from, int to, const Parts& sent, const Parts& received) {
    if (script.rank() == from) script.send(0, to, sent);
    if (script.rank() == to) script.receive(0, from, received);
    script.pass(1);
}

}  // namespace carpool::collectives
