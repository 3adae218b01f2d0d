#pragma once

#include "choose/cheapest.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::choose {

/// What was chosen lately, by problem: programs plan the same for several buffers, and to compare
/// candidates costs more than to do one. Any thread may ask it.
class PastChoices {
public:
    /// Numbers that tell a problem and its machine from all others; none for one that is not kept.
    using Key = std::vector<std::int64_t>;

    /// As choose() says, unless it has said so lately.
    Chosen remembered(const Key& key, const std::function<Chosen()>& choose);

    /// The one store of this process.
    static PastChoices& all();

private:
    std::optional<Chosen> find(const Key& key);
    void keep(const Key& key, const Chosen& chosen);

    std::mutex mutex_;
    std::vector<std::pair<Key, Chosen>> entries_;
    std::size_t next_ = 0;  // to be replaced, once there are many
};

}  // namespace carpool::choose
