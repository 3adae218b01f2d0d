#include "group/measure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace carpool::group {
namespace {

using collectives::Kind;
using mpi::Block;
using mpi::Shape;

/// The first start of a candidate only warms it up.
constexpr int starts_per_candidate = 11;

std::vector<Block> moved(const std::vector<Block>& blocks, bool as_bytes,
                         call::TypedMemory& memory) {
    std::vector<std::shared_ptr<const Shape>> shapes;
    for (const auto& block : blocks)
        shapes.push_back(as_bytes ? std::make_shared<const Shape>(block.shape->bytes(), MPI_BYTE)
                                  : block.shape);
    memory = call::TypedMemory(shapes);
    return memory.blocks();
}

std::byte* bytes_of(std::vector<double>& numbers) {
    return reinterpret_cast<std::byte*>(numbers.data());
}

/// The largest of each number over all ranks.
std::shared_ptr<Call> maximum_call(int ranks, std::vector<double>& numbers,
                                   std::vector<double>& result) {
    auto call = std::make_shared<Call>();
    const auto count = static_cast<std::int64_t>(numbers.size());
    const auto shape = std::make_shared<const Shape>(count, MPI_DOUBLE);
    call->problem = {Kind::allreduce, ranks, 0, {shape->bytes()}};
    call->problem.unit = sizeof(double);
    call->send.push_back({bytes_of(numbers), shape});
    call->recv.push_back({bytes_of(result), shape});
    call->op = MPI_MAX;
    return call;
}

}  // namespace

/// Reductions are tried on bytes: a user's operator may not take what it finds in unused memory.
Measurement::Measurement(std::vector<Plan> candidates, const Call& call, const Settings& settings,
                         const mpi::CommState& state, int tag)
    : candidates_(std::move(candidates)),
      settings_(settings),
      state_(state),
      tag_(tag),
      rehearsal_(std::make_shared<Call>()),
      slowest_(candidates_.size()) {
    const bool reduces = collectives::reduces(call.problem.kind);
    rehearsal_->problem = call.problem;
    rehearsal_->send = moved(call.send, reduces, sent_);
    rehearsal_->recv = moved(call.recv, reduces, received_);
    if (reduces) {
        rehearsal_->problem.unit = 1;
        rehearsal_->op = MPI_BOR;
    }
    start();
}

void Measurement::start() {
    if (starts_ == 0) {
        running_.reset();  // its memory before the next one's
        running_ = bound(rehearsal_, candidates_[candidate_], settings_, state_, tag_);
    }
    if (starts_++ == 1) begin_ = Clock::now();
    running_->exchange->start(tag_);
}

void Measurement::compare() {
    auto call = maximum_call(state_.size(), seconds_, slowest_);
    const auto& algorithm = *collectives::find_algorithm(Kind::allreduce, "reduce-bcast");
    auto plan = plan_of({&algorithm, {}}, call->problem, state_.rank());
    running_ = bound(std::move(call), std::move(plan), settings_, state_, std::nullopt);
    running_->exchange->start(tag_);
}

/// What follows an exchange that has ended; false after the last.
bool Measurement::next() {
    if (candidate_ == candidates_.size()) return false;
    if (starts_ < starts_per_candidate) {
        start();
        return true;
    }
    seconds_.push_back(std::chrono::duration<double>(Clock::now() - begin_).count());
    starts_ = 0;
    if (++candidate_ < candidates_.size())
        start();
    else
        compare();
    return true;
}

bool Measurement::test() {
    while (running_->exchange->advance())
        if (!next()) return true;
    return false;
}

Plan Measurement::fastest() const {
    const auto least = std::min_element(slowest_.begin(), slowest_.end());
    return candidates_[static_cast<std::size_t>(least - slowest_.begin())];
}

}  // namespace carpool::group
