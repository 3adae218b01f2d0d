// SPDX-License-Identifier: MIT
#pragma once

#include "choose/cheapest.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace carpool::choose {

/// The candidates that were chosen, by problem: comparing candidates takes longer than running one.
/// Any thread may use it.
class PastChoices {
public:
    /// Numbers that identify a problem with its candidates and its machine; none if the choice is
    /// not to be kept.
    using Key = std::vector<std::int64_t>;

    /// The result of an earlier choose() for this key; else that of a call now, which is kept.
    std::vector<Contender> remembered(const Key& key,
                                      const std::function<std::vector<Contender>()>& choose);

    /// The one store of this process.
    static PastChoices& all();

private:
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    std::optional<std::vector<Contender>> find(const Key& key);
    void keep(const Key& key, const std::vector<Contender>& chosen);

    std::mutex mutex_;
    std::unordered_map<Key, std::vector<Contender>, Hash> entries_;
};

}  // namespace carpool::choose
