// SPDX-License-Identifier: MIT
#include "ordinary/comm_settings.hpp"

#include "arguments/keys.hpp"

#include <mutex>
#include <optional>

namespace carpool::ordinary {
namespace {

mpi::Claim claim_of(const std::map<collectives::Kind, CollectiveSettings>& settings) {
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

std::shared_ptr<const EnvironmentSettings> read_anew() {
    EnvironmentSettings result;
    for (const auto kind : collectives::kinds())
        result.of.emplace(kind, CollectiveSettings::of(kind, MPI_INFO_NULL));
    result.claim = claim_of(result.of);
    return std::make_shared<const EnvironmentSettings>(std::move(result));
}

}  // namespace

/// Reading the environment takes longer than all other local work of a first call, so its result is
/// kept.
std::shared_ptr<const EnvironmentSettings> EnvironmentSettings::read() {
    static std::mutex mutex;
    static std::shared_ptr<const EnvironmentSettings> latest;
    static std::optional<std::uint64_t> read_from;
    const auto environment = arguments::digest_of_environment();
    const std::lock_guard lock(mutex);
    if (read_from == environment) return latest;
    latest = read_anew();
    read_from = environment;
    return latest;
}

}  // namespace carpool::ordinary
