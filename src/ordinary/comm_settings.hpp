#pragma once

#include "base/mutex.hpp"
#include "collectives/kind.hpp"
#include "mpi/agreement.hpp"
#include "ordinary/settings.hpp"
#include "ordinary/unsized_algorithm.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace carpool::ordinary {

/// What the environment sets for blocking and nonblocking ordinary collectives.
struct EnvironmentSettings {
    /// Reads the settings once, and again if the environment has changed. Throws MPI_ERR_INFO_VALUE
    /// for a value that is not understood.
    static std::shared_ptr<const EnvironmentSettings> read();

    std::map<collectives::Kind, CollectiveSettings> of;
    mpi::Claim claim;  ///< the claim that all ranks have the same settings
};

/// The candidates that costs choose for the blocking and nonblocking calls on a communicator, by
/// the digest of what all ranks know of a call. So they are the same on all ranks and at any time.
class CandidatesByCost {
public:
    void keep(std::uint64_t digest, std::size_t candidate) {
        constexpr std::size_t most = 4096;
        const std::lock_guard lock(mutex_);
        if (found_.size() >= most) found_.clear();
        found_.insert_or_assign(digest, candidate);
    }

    std::optional<std::size_t> find(std::uint64_t digest) const {
        const std::lock_guard lock(mutex_);
        const auto found = found_.find(digest);
        return found == found_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    mutable base::Mutex mutex_;  // any thread may prepare a call
    std::unordered_map<std::uint64_t, std::size_t> found_;
};

/// The settings of a communicator: the first call reads them from the environment, and agrees on
/// them with all ranks.
struct CommSettings {
    std::shared_ptr<const EnvironmentSettings> settings = {};  ///< null before the first call
    bool begun = false;  ///< the first call has begun to vote; the same on all ranks
    bool known = false;  ///< the vote has ended
    std::int64_t oversubscription = 0;
    UnsizedAlgorithms unsized = {};
    CandidatesByCost by_cost = {};
};

}  // namespace carpool::ordinary
