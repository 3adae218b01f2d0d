// SPDX-License-Identifier: MIT
#include "collectives/expected.hpp"

namespace carpool::collectives {
namespace {

using schedule::Content;
using schedule::Origin;

/// The sum of slot `slot` of the ranks first .. last - 1.
Content sum(int first, int last, int slot, std::int64_t bytes) {
    Content content;
    for (int rank = first; rank < last; ++rank) content.add({rank, slot, bytes});
    return content;
}

/// What slot i of a rank must hold, whatever its size.
Content content_of(const Problem& problem, int rank, int i, int pieces) {
    const auto piece = Pieces(problem.block(), problem.unit, pieces).bytes(i);
    switch (problem.kind) {
        case Kind::bcast:
            return Origin{problem.root, i, piece};
        case Kind::gather:
        case Kind::allgather:
            return Origin{i, 0, problem.block(i)};
        case Kind::scatter:
            return Origin{problem.root, rank, problem.block(rank)};
        case Kind::alltoall:
            return Origin{i, rank, problem.received_from(i)};
        case Kind::reduce_scatter:
            return sum(0, problem.ranks, rank, problem.block(rank));
        case Kind::scan:
            return sum(0, rank + 1, 0, problem.block());
        case Kind::exscan:
            return sum(0, rank, 0, problem.block());
        default:
            return sum(0, problem.ranks, i, piece);
    }
}

bool is_empty(const Content& content) { return !content || content.blocks.front().bytes == 0; }

}  // namespace

schedule::Postcondition expected(std::span<const Problem> problems, int pieces) {
    const auto& any = problems.front();
    schedule::Postcondition condition(static_cast<std::size_t>(any.ranks));
    for (int rank = 0; rank < any.ranks; ++rank) {
        const auto& problem = problems.size() > 1 ? problems[static_cast<std::size_t>(rank)] : any;
        auto& row = condition[static_cast<std::size_t>(rank)];
        row.resize(static_cast<std::size_t>(recv_slots(problem, rank, pieces)));
        for (std::size_t i = 0; i < row.size(); ++i) {
            auto content = content_of(problem, rank, static_cast<int>(i), pieces);
            const bool counts = problem.kind == Kind::barrier || problem.keeps_empty;
            if (counts || !is_empty(content)) row[i] = std::move(content);
        }
    }
    return condition;
}

schedule::SumOrder order_of(const Problem& problem) {
    if (problem.kind == Kind::barrier) return schedule::SumOrder::repeated;
    return problem.commutes ? schedule::SumOrder::any : schedule::SumOrder::exact;
}

}  // namespace carpool::collectives
