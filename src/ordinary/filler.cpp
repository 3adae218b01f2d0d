// SPDX-License-Identifier: MIT
#include "ordinary/filler.hpp"

#include "agree/collective_buffers.hpp"
#include "arguments/handle_number.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

namespace carpool::ordinary {

using collectives::Problem;

std::vector<int> sources_of(const Problem& problem) {
    if (problem.kind == collectives::Kind::scatter) return {problem.root};
    std::vector<int> ranks(static_cast<std::size_t>(problem.ranks));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

namespace {

engine::Buffers first_buffers(const CheckedCollective& call, bool has_length_headers) {
    engine::Buffers buffers;
    buffers.send = call.blocks.send;
    buffers.recv = call.blocks.recv;
    if (has_length_headers) buffers.sources = sources_of(call.problem);
    return buffers;
}

std::optional<std::int64_t> longest_of(const UnsizedAlgorithm* algorithm) {
    return algorithm != nullptr ? std::optional(algorithm->longest()) : std::nullopt;
}

}  // namespace

CollectiveFiller::CollectiveFiller(std::shared_ptr<CheckedCollective> call,
                                   const collectives::Algorithm& algorithm,
                                   const UnsizedAlgorithm* unsized_algorithm)
    : CallFiller(first_buffers(*call, unsized_algorithm != nullptr), longest_of(unsized_algorithm)),
      call_(std::move(call)),
      algorithm_(&algorithm),
      pieces_(algorithm.pieces(call_->problem)) {}

/// Finds the sizes of forwarded blocks. With an unsized algorithm, length headers state them
/// instead.
void CollectiveFiller::find_temp_bytes(const Problem& problem) {
    if (has_length_headers() || temp_blocks_.empty()) return;
    const collectives::Pieces pieces(problem.block(), problem.unit, pieces_);
    for (std::size_t slot = 0; slot < temp_blocks_.size(); ++slot)
        temp_bytes_[slot] = collectives::size_of_block(problem, pieces, temp_blocks_[slot]);
}

bool CollectiveFiller::fill(call::BoundCall& bound, CheckedCollective& arguments) {
    const auto& problem = arguments.problem;
    auto& blocks = arguments.blocks;
    if (algorithm_->pieces(problem) != pieces_) return false;
    return CallFiller::fill(bound, blocks.send, blocks.recv, [&] {
        find_temp_bytes(problem);
        if (!blocks.before.empty()) std::swap(copies_, arguments.copies);  // with MPI_IN_PLACE
        agree::collective_buffers_again(buffers_, blocks, problem, pieces_, temp_bytes_,
                                        bound.memory);
    });
}

call::CallForm form_of(const CollectiveArguments& arguments) {
    const auto& [kind, send, recv, root, op, overlap] = arguments;
    const bool types = send.varying_types || recv.varying_types;
    return {static_cast<std::int64_t>(kind) << 4 | arguments.count_per_rank() << 3 | types << 2 |
                in_place(send) << 1 | static_cast<int>(in_place(recv)),
            root, arguments::number_of(op)};
}

call::SizeClass size_class_of(const CheckedCollective& call, bool preferred) {
    const auto& problem = call.problem;
    const auto placed = [&call](call::SizeClass of_sizes) {
        return call::with_place(of_sizes, call.blocks.send, call.blocks.recv);
    };
    if (call.pairs_know_sizes()) return placed(call::sizes_of_pairs);
    const auto unit = static_cast<std::uint64_t>(problem.unit);
    const auto block = problem.bytes.empty() ? 0 : collectives::mean_block(problem.bytes);
    const auto rounded = static_cast<std::uint64_t>(collectives::round_block(block, problem.unit));
    return placed(unit << 16 | static_cast<std::uint64_t>(std::bit_width(rounded)) << 8 |
                  static_cast<std::uint64_t>(preferred) << 2 |
                  static_cast<std::uint64_t>(call.checked_op.rounds) << 1 | call::known_sizes);
}

}  // namespace carpool::ordinary
