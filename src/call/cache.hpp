#pragma once

#include "arguments/key.hpp"
#include "base/latest.hpp"
#include "base/mutex.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace carpool::call {

/// The latest calls that ended once, for when they come again: with the same arguments, or with
/// others of the same form, for which they can be bound again. Purely local: a call found here
/// sends the same messages as one that is not.
template <typename Prepared>
class Cache {
public:
    /// Tells calls of which one can be bound again to the arguments of another; 0 for no form.
    using Form = std::uint64_t;

    static constexpr int most_of_form = 4;  ///< bound calls, for calls that are made in turn

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

    /// Binds the free call of this form that was used least recently to the arguments of the key.
    /// Null if there is none, or if it cannot be bound: it is dropped then. Also null if the call
    /// of this key was itself bound to others a short while ago, and there are few of its form:
    /// then the caller plans one more, so calls that are made in turn each get their own.
    /// @param suits  as above @param rebind  of a call, whether it has been bound again
    template <typename Suits, typename Rebind>
    std::shared_ptr<Prepared> rebound(const arguments::Key& key, Form form, const Suits& suits,
                                      const Rebind& rebind) {
        Entries taken;
        {
            const std::lock_guard lock(mutex_);
            const auto [found, count] = oldest_of(form, suits);
            if (count == 0 || (count < most_of_form && bound_over_.contains(key.hash())))
                return nullptr;
            taken.splice(taken.end(), entries_, found);
        }
        auto& entry = taken.front();
        bound_over_.push(entry.key.hash());
        if (!rebind(*entry.prepared, entry.key)) return nullptr;
        auto prepared = entry.prepared;
        const std::lock_guard lock(mutex_);
        entries_.splice(entries_.begin(), taken);
        return prepared;
    }

    /// Keeps a call in place of one with the same arguments that goes the same way; nothing without
    /// a key.
    void keep(arguments::StoredKey key, std::shared_ptr<Prepared> prepared, Form form = 0) {
        constexpr std::size_t most_entries = 64;
        if (key.empty()) return;
        Entries old;
        const std::lock_guard lock(mutex_);
        for (auto entry = entries_.begin(); entry != entries_.end();) {
            const auto one = entry++;
            if (one->key == key && one->prepared->way == prepared->way)
                old.splice(old.end(), entries_, one);
        }
        entries_.push_front({std::move(key), std::move(prepared), form});
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
        Form form;

        /// That call, and free to be done again?
        bool is(const arguments::Key& call) { return key.shows(call) && is_free() && key.alive(); }

        /// What another thread did with it has happened before.
        bool is_free() const {
            const bool free = prepared.use_count() == 1;
            std::atomic_thread_fence(std::memory_order_acquire);
            return free;
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

    /// The free call of a form that was used least recently, and how many there are.
    template <typename Suits>
    std::pair<Place, int> oldest_of(Form form, const Suits& suits) {
        std::pair<Place, int> last{entries_.end(), 0};
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
            if (entry->form == form && entry->is_free() && suits(*entry->prepared)) {
                last.first = entry;
                ++last.second;
            }
        return last;
    }

    base::Mutex mutex_;  // another thread may progress a call that is then kept here
    Entries entries_;    // the latest first
    base::Latest<most_of_form> bound_over_;  // hashes of keys whose calls were bound to others
};

}  // namespace carpool::call
