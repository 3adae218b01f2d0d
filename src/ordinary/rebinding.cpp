#include "ordinary/rebinding.hpp"

#include "agree/collective_buffers.hpp"
#include "arguments/key.hpp"
#include "base/digest.hpp"
#include "mpi/error.hpp"

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

CollectiveRebinding::CollectiveRebinding(std::shared_ptr<CheckedCollective> call,
                                         const collectives::Algorithm& algorithm,
                                         const UnsizedAlgorithm* unsized_algorithm)
    : call_(std::move(call)),
      algorithm_(&algorithm),
      unsized_algorithm_(unsized_algorithm),
      pieces_(algorithm.pieces(call_->problem)) {
    if (unsized_algorithm != nullptr) buffers_.sources = sources_of(call_->problem);
}

bool CollectiveRebinding::may_rebind(const schedule::Schedule& schedule) {
    temp_blocks_ = schedule.temp_blocks;
    const auto temps = static_cast<std::size_t>(schedule.temp_slots);
    return !schedule::has_rendezvous_messages(schedule) &&
           (unsized_algorithm_ != nullptr || temp_blocks_.size() == temps);
}

/// Finds the sizes of forwarded blocks. With an unsized algorithm, length headers state them
/// instead.
void CollectiveRebinding::find_temp_bytes() {
    if (unsized_algorithm_ != nullptr) return;
    const auto& problem = call_->problem;
    const collectives::Pieces pieces(problem.block(), problem.unit, pieces_);
    temp_bytes_.clear();
    for (const int block : temp_blocks_)
        temp_bytes_.push_back(collectives::size_of_block(problem, pieces, block));
}

/// True if no block is too long for the messages of the unsized algorithm.
bool CollectiveRebinding::all_ride() const {
    return unsized_algorithm_ == nullptr ||
           (mpi::none_longer(call_->blocks.send, unsized_algorithm_->longest()) &&
            mpi::none_longer(call_->blocks.recv, unsized_algorithm_->longest()));
}

/// True if the new problem has the same schedule. A preferred algorithm may apply only to some
/// lengths of blocks. Blocks whose sizes only pairs of ranks know are sent directly, or by the
/// unsized algorithm.
bool CollectiveRebinding::is_like(const Problem& problem,
                                  const CollectiveSettings& settings) const {
    const auto* const preferred = settings.preferred;
    const bool pairs_know = problem.varies() || call_->unknown_sizes;
    const bool same = preferred == nullptr || pairs_know ||
                      preferred->applies(problem) == (preferred == algorithm_);
    return same && algorithm_->pieces(problem) == pieces_;
}

bool CollectiveRebinding::rebind(call::BoundCall& bound, const CollectiveArguments& arguments,
                                 const CollectiveSettings& settings) {
    bool is_bound = false;
    const auto mistake = mpi::mistake_in([&] {
        read_call_again(*call_, arguments, *bound.state);
        if (!is_like(call_->problem, settings) || !all_ride()) return;
        bound.note_size(call_->blocks.send, call_->blocks.recv);
        find_temp_bytes();
        agree::collective_buffers_again(buffers_, call_->blocks, call_->problem, pieces_,
                                        temp_bytes_, bound.memory);
        bound.exchange->rebind(buffers_, temp_bytes_);
        is_bound = true;
    });
    return is_bound && !mistake;
}

call::Cache<call::BoundCall>::Form form_of(const CollectiveArguments& arguments,
                                           const KnownToAll& known, bool by_size) {
    constexpr std::int64_t long_block = 1 << 14;  // may be cut into as many pieces as it is long
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(known.kind) << 32 | known.root);
    digest.add(arguments::number_of(known.op));
    digest.add(2 * in_place(arguments.send) + in_place(arguments.recv));
    digest.add(arguments.send.varying_types || arguments.recv.varying_types ? 1 : 0);
    const bool varies = known.block == KnownToAll::known_to_pairs;
    digest.add(varies ? 1 : 0);
    if (by_size || known.block > long_block) digest.add(static_cast<std::int64_t>(known.digest()));
    return digest.bits();
}

}  // namespace carpool::ordinary
