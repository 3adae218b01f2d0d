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
        const auto found = entry_of(key);
        if (found == entries_.end()) return nullptr;
        if (found != entries_.begin()) entries_.splice(entries_.begin(), entries_, found);
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
            return key.shows(call) && prepared.use_count() == 1 && key.alive();
        }
    };

    using Place = typename std::list<Entry>::iterator;

    /// Few are compared at once; a hash tells many apart sooner.
    Place entry_of(const Key& key) {
        constexpr int few = 4;
        auto entry = entries_.begin();
        for (int i = 0; i < few && entry != entries_.end(); ++i, ++entry)
            if (entry->is(key)) return entry;
        if (entry == entries_.end()) return entry;
        const auto hash = key.hash();
        return std::find_if(entry, entries_.end(),
                            [&](Entry& one) { return one.key.hash() == hash && one.is(key); });
    }

    base::Mutex mutex_;         // another thread may progress a call that is then kept here
    std::list<Entry> entries_;  // the latest first
};

}  // namespace carpool::call
