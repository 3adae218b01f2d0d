#include "group/terms.hpp"

#include "arguments/keys.hpp"
#include "engine/host_progress.hpp"
#include "mpi/library.hpp"

#include <algorithm>

namespace carpool::group {
namespace {

constexpr std::int64_t most_host_calls = 1 << 20;  // which is as good as all

}  // namespace

void Terms::read_environment() {
    if (const auto calls = arguments::in_environment()("carpool_host_calls"))
        host_calls = static_cast<int>(
            std::min(most_host_calls, arguments::from_zero(*calls, "a number of calls")));
    for (const auto kind : collectives::kinds())
        settings.emplace(kind, Settings::of(kind, MPI_INFO_NULL));
}

int Terms::own_host_calls() const {
    const bool goes_on = engine::HostProgress::available() && !mpi::several_threads();
    return goes_on ? host_calls : 0;
}

int Terms::host_calls_of(const KnownToAll& call) const {
    const auto& of_kind = settings.at(call.kind);
    const bool free = of_kind.chosen_by() == arguments::Choice::automatic &&
                      of_kind.algorithm == nullptr && of_kind.preferred == nullptr &&
                      of_kind.check == arguments::Check::local;
    return free && may_be_at_host(call) ? host_calls : 0;
}

mpi::Claim Terms::claim() const {
    mpi::Claim all{"settings in the environment (CARPOOL_*)", {}};
    for (const auto& [kind, of_kind] : settings)
        for (const auto& claim : of_kind.claims())
            all.values.insert(all.values.end(), claim.values.begin(), claim.values.end());
    for (const auto& [kind, of_kind] : settings)
        all.values.push_back(of_kind.preferred != nullptr
                                 ? of_kind.preferred - collectives::algorithms(kind).data()
                                 : -1);
    return all;
}

}  // namespace carpool::group
