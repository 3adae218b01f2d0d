#include "group/urn.hpp"

#include "group/binding.hpp"

#include <optional>
#include <vector>

namespace carpool::group {
namespace {

using collectives::Kind;

/// Among few ranks each goes straight to one.
const collectives::Algorithm* algorithm_for(int ranks) {
    constexpr int few = 32;
    return collectives::find_algorithm(Kind::allreduce, ranks <= few ? "star" : "reduce-bcast");
}

}  // namespace

void Urn::post(std::byte* ballot, MPI_Datatype type, MPI_Op op) {
    const auto shape = std::make_shared<const mpi::Shape>(1, type);
    call_ = std::make_shared<Call>();
    call_->problem = {Kind::allreduce, lane_->size(), 0, {shape->bytes()}};
    call_->problem.unit = shape->bytes();
    call_->recv.push_back({ballot, shape});
    call_->copies = call::TypedMemory(std::vector{shape});
    call_->send = call_->copies.blocks();
    call_->before.push_back({call_->recv.front(), call_->send.front()});
    call_->op = op;
    begun();
}

bool Urn::begun() {
    if (prepared_) return true;
    if (!lane_->ready()) return false;
    prepared_ = bound(call_, {algorithm_for(lane_->size()), {}}, {call::Tuning::of_this_mpi()},
                      *lane_, std::nullopt);
    prepared_->exchange->start(tag_);
    return true;
}

bool Urn::test() { return begun() && prepared_->exchange->advance(); }

}  // namespace carpool::group
