#include "ordinary/filling.hpp"

#include "agree/collective_buffers.hpp"
#include "arguments/handle_number.hpp"
#include "mpi/error.hpp"

#include <bit>
#include <numeric>
#include <utility>

namespace carpool::ordinary {

using collectives::Problem;

std::vector<int> sources_of(const Problem& problem) {
    if (problem.kind == collectives::Kind::scatter) return {problem.root};
    std::vector<int> ranks(static_cast<std::size_t>(problem.ranks));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

CollectiveFilling::CollectiveFilling(std::shared_ptr<CheckedCollective> call,
                                     const collectives::Algorithm& algorithm,
                                     const UnsizedAlgorithm* unsized_algorithm)
    : call_(std::move(call)),
      algorithm_(&algorithm),
      unsized_algorithm_(unsized_algorithm),
      pieces_(algorithm.pieces(call_->problem)) {
    buffers_.send = call_->blocks.send;
    buffers_.recv = call_->blocks.recv;
    if (unsized_algorithm != nullptr) buffers_.sources = sources_of(call_->problem);
}

bool CollectiveFilling::may_fill(const schedule::Schedule& schedule) {
    temp_blocks_ = schedule.temp_blocks;
    const auto temps = static_cast<std::size_t>(schedule.temp_slots);
    fills_ = !schedule::has_rendezvous_messages(schedule) &&
             (unsized_algorithm_ != nullptr || temp_blocks_.size() == temps);
    return fills_;
}

bool CollectiveFilling::is_bound_to(const CheckedCollective& arguments) const {
    const auto& [send, recv, op, in_place, before] = arguments.blocks;
    return bound_ && pieces_ == 1 && buffers_.send == send && buffers_.recv == recv;
}

/// Finds the sizes of forwarded blocks. With an unsized algorithm, length headers state them
/// instead.
void CollectiveFilling::find_temp_bytes(const Problem& problem) {
    if (unsized_algorithm_ != nullptr || temp_blocks_.empty()) return;
    const collectives::Pieces pieces(problem.block(), problem.unit, pieces_);
    temp_bytes_.clear();
    for (const int block : temp_blocks_)
        temp_bytes_.push_back(collectives::size_of_block(problem, pieces, block));
}

/// True if no block is too long for the messages of the unsized algorithm.
bool CollectiveFilling::all_ride(const agree::CollectiveBlocks& blocks) const {
    return unsized_algorithm_ == nullptr ||
           (mpi::none_longer(blocks.send, unsized_algorithm_->longest()) &&
            mpi::none_longer(blocks.recv, unsized_algorithm_->longest()));
}

bool CollectiveFilling::fill(call::BoundCall& bound, CheckedCollective& arguments) {
    const auto& problem = arguments.problem;
    auto& blocks = arguments.blocks;
    if (!fills_ || algorithm_->pieces(problem) != pieces_ || !all_ride(blocks)) return false;
    bound_ = false;  // until all is filled
    bound.note_size(blocks.send, blocks.recv);
    find_temp_bytes(problem);
    std::swap(copies_, arguments.copies);
    agree::collective_buffers_again(buffers_, blocks, problem, pieces_, temp_bytes_, bound.memory);
    bound.exchange->fill(buffers_, temp_bytes_);
    bound_ = true;
    return true;
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
    if (call.pairs_know_sizes()) return call::sizes_of_pairs;
    constexpr call::SizeClass is_known = 8;
    const auto unit = static_cast<std::uint64_t>(problem.unit);
    const auto block = problem.bytes.empty() ? 0 : collectives::mean_block(problem.bytes);
    const auto rounded = static_cast<std::uint64_t>(collectives::round_block(block, problem.unit));
    return unit << 16 | static_cast<std::uint64_t>(std::bit_width(rounded)) << 8 |
           static_cast<std::uint64_t>(preferred) << 2 |
           static_cast<std::uint64_t>(call.rounds) << 1 | is_known;
}

}  // namespace carpool::ordinary
