#pragma once

#include "base/mutex.hpp"
#include "call/key.hpp"

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace carpool::call {

/// The latest calls that ended once, for when they come again with the same arguments. Purely
/// local: a call found here sends the same messages as one that is not.
template <typename Prepared>
class Cache {
public:
    /// A call with these arguments that no request uses at present, or null.
    std::shared_ptr<Prepared> find(const Key& key) {
        const std::lock_guard lock(mutex_);
        if (!entries_.empty() && entries_.front().is(key)) return entries_.front().prepared;
        const auto hash = key.hash();
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](Entry& entry) {
            return entry.key.hash() == hash && entry.is(key);
        });
        if (found == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found);
        return found->prepared;
    }

    /// Keeps a call; nothing without a key.
    void keep(StoredKey key, std::shared_ptr<Prepared> prepared) {
        constexpr std::size_t most_entries = 64;
        if (key.empty()) return;
        const std::lock_guard lock(mutex_);
        entries_.push_front({std::move(key), std::move(prepared)});
        if (entries_.size() > most_entries) entries_.pop_back();
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        entries_.clear();
    }

private:
    struct Entry {
        StoredKey key;
        std::shared_ptr<Prepared> prepared;

        /// That call, and free to be done again?
        bool is(const Key& call) {
            return prepared.use_count() == 1 && key.shows(call) && key.alive();
        }
    };

    base::Mutex mutex_;         // another thread may progress a call that is then kept here
    std::list<Entry> entries_;  // the latest first
};

}  // namespace carpool::call
