#include "call/measurement.hpp"

#include "schedule/schedule.hpp"

#include <algorithm>
#include <utility>

namespace carpool::call {
namespace {

using mpi::Block;
using mpi::Shape;

/// The first start of a plan only warms it up.
constexpr int starts_per_plan = 11;

/// The same blocks elsewhere.
std::vector<Block> moved(const std::vector<Block>& blocks, bool as_bytes, TypedMemory& memory) {
    std::vector<std::shared_ptr<const Shape>> shapes;
    for (const auto& block : blocks)
        shapes.push_back(as_bytes && block.shape
                             ? std::make_shared<const Shape>(block.shape->bytes(), MPI_BYTE)
                             : block.shape);
    memory = TypedMemory(shapes);
    return memory.blocks();
}

}  // namespace

Measurement::Measurement(const std::vector<Planned>& plans, const Family& family,
                         const mpi::CommState& state, int tag)
    : plans_(plans), family_(family), state_(state), tag_(tag) {
    start();
}

/// Binds a plan to memory of our own. Reductions are tried on bytes: a user's operator may not take
/// what it finds in unused memory.
void Measurement::rehearse() {
    running_.reset();  // its memory before the next one's
    BoundCall unused;
    auto [chosen, schedule] = plans_[plan_];
    auto summary = family_.summary(chosen.number, chosen.load);
    const auto real = family_.buffers(chosen.number, schedule, unused);
    const bool reduces = !real.ops.empty();
    const engine::Buffers buffers{
        moved(real.send, reduces, send_), moved(real.recv, reduces, recv_),
        moved(real.temp, reduces, temp_), std::vector<MPI_Op>(real.ops.size(), MPI_BOR)};
    running_ = engine::exchange_of(state_, schedule, buffers, family_.manner(summary, tag_));
}

void Measurement::start() {
    if (starts_ == 0) rehearse();
    if (starts_++ == 1) begin_ = Clock::now();
    running_->start(tag_);
}

void Measurement::compare() {
    running_.reset();
    comparison_.emplace(state_, std::move(seconds_), MPI_MAX, "reduce-bcast");
    comparison_->start(tag_);
}

/// What follows an exchange that has ended; false after the last.
bool Measurement::next() {
    if (starts_ < starts_per_plan) {
        start();
        return true;
    }
    seconds_.push_back(std::chrono::duration<double>(Clock::now() - begin_).count());
    starts_ = 0;
    if (++plan_ == plans_.size()) return false;
    start();
    return true;
}

bool Measurement::test() {
    while (running_) {
        if (!running_->advance()) return false;
        if (!next()) compare();
    }
    return comparison_->advance();
}

std::size_t Measurement::fastest() const {
    const auto& slowest = comparison_->result();
    const auto least = std::min_element(slowest.begin(), slowest.end());
    return static_cast<std::size_t>(least - slowest.begin());
}

}  // namespace carpool::call
