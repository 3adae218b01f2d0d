#pragma once

#include "arguments/key.hpp"
#include "base/mutex.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
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
    /// A call with these arguments that no request uses at present, or null. There may be several,
    /// that go by other ways. @param suits  of a call, whether it goes by the right one
    template <typename Suits>
    std::shared_ptr<Prepared> find(const arguments::Key& key, const Suits& suits) {
        const std::lock_guard lock(mutex_);
        const auto found = entry_of(key, suits);
        if (found == entries_.end()) return nullptr;
        if (found != entries_.begin()) entries_.splice(entries_.begin(), entries_, found);
        return found->prepared;
    }

    /// Keeps a call in place of one with the same arguments that goes the same way; nothing without
    /// a key.
    void keep(arguments::StoredKey key, std::shared_ptr<Prepared> prepared) {
        constexpr std::size_t most_entries = 64;
        if (key.empty()) return;
        Entries old;
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            const auto one = entry++;
            if (one->key == key && one->prepared->way == prepared->way)
                old.splice(old.end(), entries_, one);
        }
        entries_.push_front({std::move(key), std::move(prepared)});
        if (entries_.size() > most_entries)
            old.splice(old.end(), entries_, std::prev(entries_.end()));
    }

    void clear() {
        Entries old;
        const std::lock_guard lock(mutex_);
        old.swap(entries_);
    }

private:
    struct Entry {
        arguments::StoredKey key;
        std::shared_ptr<Prepared> prepared;

        /// That call, and free to be done again?
        bool is(const arguments::Key& call) {
            return key.shows(call) && prepared.use_count() == 1 && key.alive();
        }
    };

    /// What is old is destroyed outside the lock: that may free handles of MPI's.
    using Entries = std::list<Entry>;
    using Place = typename Entries::iterator;

    /// Few are compared at once; a hash tells many apart sooner.
    template <typename Suits>
    Place entry_of(const arguments::Key& key, const Suits& suits) {
        constexpr int few = 4;
        const auto is = [&](Entry& entry) { return entry.is(key) && suits(*entry.prepared); };
        auto entry = entries_.begin();
        for (int i = 0; i < few && entry != entries_.end(); ++i, ++entry)
            if (is(*entry)) return entry;
        if (entry == entries_.end()) return entry;
        const auto hash = key.hash();
        return std::find_if(entry, entries_.end(),
                            [&](Entry& one) { return one.key.hash() == hash && is(one); });
    }

    base::Mutex mutex_;  // another thread may progress a call that is then kept here
    Entries entries_;    // the latest first
};

}  // namespace carpool::call
