// SPDX-License-Identifier: MIT
#include "collectives/tree_stages.hpp"

#include <algorithm>
#include <optional>
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

namespace {

/// What a rank has of each part, and what has come from its children since it was summed, by rank.
class ArrivedParts {
public:
    ArrivedParts(Script& script, const Parts& own)
        : script_(script),
          own_rank_(script.problem().commutes ? script.problem().ranks : script.rank()),
          by_rank_{{own_rank_, own}} {}

    void add(int child, Parts parts) { by_rank_.emplace_back(child, std::move(parts)); }

    /// Sums what is there, so that its time does not add to that of what comes later.
    void sum() { by_rank_ = {{own_rank_, script_.sums(summands())}}; }

    /// The summands of each part, in the order of ranks. If the order does not matter, this rank's
    /// own is the last one: sums begin with their last summand, and that one is available before
    /// any message has arrived.
    std::vector<Parts> summands() {
        std::ranges::sort(by_rank_, {}, &std::pair<int, Parts>::first);
        std::vector<Parts> lists(by_rank_.front().second.size());
        for (const auto& [rank, parts] : by_rank_)
            for (std::size_t i = 0; i < parts.size(); ++i) lists[i].push_back(parts[i]);
        return lists;
    }

private:
    Script& script_;
    int own_rank_;
    std::vector<std::pair<int, Parts>> by_rank_;
};

}  // namespace

std::vector<Parts> reduce(Script& script, const Tree& tree, const Parts& own) {
    ArrivedParts arrived(script, own);
    std::optional<int> level;
    for (const auto& child : tree.children()) {
        if (level && child.level != *level) arrived.sum();
        level = child.level;
        const auto parts = script.temps_like(own);
        script.receive(child.level, child.rank, parts);
        arrived.add(child.rank, parts);
    }
    std::vector<Parts> summands;
    if (tree.parent())
        script.send(tree.self().level, *tree.parent(), script.sums(arrived.summands()));
    else
        summands = arrived.summands();
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
