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

/// What was chosen, by problem: to compare candidates costs more than to do one. Any thread may ask
/// it.
class PastChoices {
public:
    /// Numbers that tell a problem, its candidates and its machine from all others; none for one
    /// that is not kept.
    using Key = std::vector<std::int64_t>;

    /// What choose() has said for this key before; else what it says now, which is kept.
    std::vector<Chosen> remembered(const Key& key,
                                   const std::function<std::vector<Chosen>()>& choose);

    /// The one store of this process.
    static PastChoices& all();

private:
    struct Hash {
        std::size_t operator()(const Key& key) const;
    };

    std::optional<std::vector<Chosen>> find(const Key& key);
    void keep(const Key& key, const std::vector<Chosen>& chosen);

    std::mutex mutex_;
    std::unordered_map<Key, std::vector<Chosen>, Hash> entries_;
};

}  // namespace carpool::choose
