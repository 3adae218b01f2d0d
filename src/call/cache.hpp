#pragma once

#include "arguments/key.hpp"
#include "base/latest.hpp"
#include "base/mutex.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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
        const auto found = place_of(key, suits);
        if (found == none) return nullptr;
        use(found);
        return entries_[found]->prepared;
    }

    /// Binds the free call of this form that was used least recently to the arguments of the key.
    /// Null if there is none, or if it cannot be bound: it is dropped then. Also null if the call
    /// of this key was itself bound to others a short while ago, and there are few of its form:
    /// then the caller plans one more, so calls that are made in turn each get their own.
    /// @param suits  as above @param rebind  of a call, whether it has been bound again
    template <typename Suits, typename Rebind>
    std::shared_ptr<Prepared> rebound(const arguments::Key& key, Form form, const Suits& suits,
                                      const Rebind& rebind) {
        std::unique_ptr<Entry> entry;
        {
            const std::lock_guard lock(mutex_);
            const auto [oldest, count] = oldest_of(form, suits);
            if (count == 0 || (count < most_of_form && bound_over_.contains(key.hash())))
                return nullptr;
            bound_over_.push(labels_[oldest].hash);
            entry = take(oldest);
        }
        if (!rebind(*entry->prepared, entry->key)) return nullptr;
        auto prepared = entry->prepared;
        const std::lock_guard lock(mutex_);
        entry = put(std::move(entry), form);
        return prepared;
    }

    /// Keeps a call in place of one with the same arguments that goes the same way, and of the one
    /// used least recently where there are enough of its form; nothing without a key.
    void keep(arguments::StoredKey key, std::shared_ptr<Prepared> prepared, Form form = 0) {
        if (key.empty()) return;
        std::vector<std::unique_ptr<Entry>> old;
        const std::lock_guard lock(mutex_);
        const auto same_way = [&](const Prepared& other) { return other.way == prepared->way; };
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (entries_[i] && labels_[i].hash == key.hash() && same_way(*entries_[i]->prepared) &&
                entries_[i]->key == key)
                old.push_back(take(i));
        const auto [oldest, count] = oldest_of(form, same_way);
        if (form != 0 && count >= most_of_form) old.push_back(take(oldest));
        old.push_back(put(std::make_unique<Entry>(std::move(key), std::move(prepared)), form));
    }

    void clear() {
        std::vector<std::unique_ptr<Entry>> old;
        const std::lock_guard lock(mutex_);
        old.swap(entries_);
        labels_.clear();
    }

private:
    static constexpr std::size_t most_entries = 64;
    static constexpr std::size_t none = most_entries;

    /// What is old is destroyed outside the lock: that may free handles of MPI's.
    struct Entry {
        arguments::StoredKey key;
        std::shared_ptr<Prepared> prepared;

        /// That call, and free to be done again?
        bool is(const arguments::Key& call) { return key.shows(call) && is_free() && key.alive(); }

        /// What another thread did with it has happened before.
        bool is_free() const {
            const bool free = prepared.use_count() == 1;
            std::atomic_thread_fence(std::memory_order_acquire);
            return free;
        }
    };

    /// What tells most entries apart, close together, so that a search touches few cache lines.
    struct Label {
        std::uint64_t hash;
        Form form;
        std::uint64_t last_use;  // 0 where there is no entry
    };

    /// The latest are compared at once; a hash tells the others apart sooner.
    template <typename Suits>
    std::size_t place_of(const arguments::Key& key, const Suits& suits) {
        const auto is = [&](std::size_t i) {
            return entries_[i] && entries_[i]->is(key) && suits(*entries_[i]->prepared);
        };
        for (const auto i : latest_)
            if (i < entries_.size() && is(i)) return i;
        const auto hash = key.hash();
        for (std::size_t i = 0; i < labels_.size(); ++i)
            if (labels_[i].hash == hash && is(i)) return i;
        return none;
    }

    /// The free call of a form that was used least recently, and how many there are.
    template <typename Suits>
    std::pair<std::size_t, int> oldest_of(Form form, const Suits& suits) const {
        std::pair<std::size_t, int> oldest{none, 0};
        for (std::size_t i = 0; i < labels_.size(); ++i) {
            if (labels_[i].form != form || !entries_[i]) continue;
            if (!entries_[i]->is_free() || !suits(*entries_[i]->prepared)) continue;
            ++oldest.second;
            if (oldest.first == none || labels_[i].last_use < labels_[oldest.first].last_use)
                oldest.first = i;
        }
        return oldest;
    }

    void use(std::size_t place) {
        labels_[place].last_use = ++uses_;
        auto* const at = std::ranges::find(latest_, place);
        std::shift_right(latest_.begin(), at == latest_.end() ? at : at + 1, 1);
        latest_.front() = place;
    }

    /// Leaves the place empty.
    std::unique_ptr<Entry> take(std::size_t place) {
        labels_[place] = {};
        emptied_ = place;
        return std::move(entries_[place]);
    }

    /// Puts it where nothing is, or where the call is that was used least recently, and returns
    /// what was there.
    std::unique_ptr<Entry> put(std::unique_ptr<Entry> entry, Form form) {
        const auto place = place_for_one();
        labels_[place] = {entry->key.hash(), form, 0};
        use(place);
        entries_[place].swap(entry);
        return entry;
    }

    std::size_t place_for_one() {
        if (emptied_ < entries_.size() && !entries_[emptied_]) return emptied_;
        if (entries_.size() == most_entries) {
            const auto oldest = std::ranges::min_element(labels_, {}, &Label::last_use);
            return static_cast<std::size_t>(oldest - labels_.begin());
        }
        labels_.emplace_back();
        entries_.emplace_back();
        return entries_.size() - 1;
    }

    base::Mutex mutex_;  // another thread may progress a call that is then kept here
    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<Label> labels_;   // one for each entry
    std::size_t emptied_ = none;  // the latest place that was
    std::array<std::size_t, 4> latest_ = {none, none, none, none};
    std::uint64_t uses_ = 0;
    base::Latest<most_of_form> bound_over_;  // hashes of keys whose calls were bound to others
};

}  // namespace carpool::call
