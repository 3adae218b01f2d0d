#include "group/learning.hpp"

#include "group/binding.hpp"

#include <optional>

namespace carpool::group {
namespace {

using collectives::Kind;

std::byte* bytes_of(std::int64_t& number) { return reinterpret_cast<std::byte*>(&number); }

std::shared_ptr<Call> allgather_call(std::int64_t& own, std::vector<std::int64_t>& numbers) {
    auto call = std::make_shared<Call>();
    const auto shape = std::make_shared<const mpi::Shape>(1, MPI_INT64_T);
    call->problem = {Kind::allgather, static_cast<int>(numbers.size()), 0, {sizeof(std::int64_t)}};
    call->send.push_back({bytes_of(own), shape});
    for (auto& number : numbers) call->recv.push_back({bytes_of(number), shape});
    return call;
}

}  // namespace

Learning::Learning(const mpi::CommState& state, int tag, std::int64_t own)
    : own_(own), numbers_(static_cast<std::size_t>(state.size())) {
    const auto& algorithm = *collectives::find_algorithm(Kind::allgather, "gather-bcast");
    auto call = allgather_call(own_, numbers_);
    auto plan = plan_of({&algorithm, {}}, call->problem, state.rank());
    prepared_ =
        bound(std::move(call), std::move(plan), {call::Tuning::of_this_mpi()}, state, std::nullopt);
    prepared_->exchange->start(tag);
}

}  // namespace carpool::group
