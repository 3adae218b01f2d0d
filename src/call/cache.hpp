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

/// The latest blocking and nonblocking calls, to be made again: with the same arguments, or with
/// other arguments of the same form, to which they can be bound again. Purely local: a call found
/// here sends the same messages as one that is not.
template <typename Prepared>
class Cache {
public:
    /// Equal for calls that can be bound again to each other's arguments; 0 for no form.
    using Form = std::uint64_t;

    static constexpr int most_of_form = 4;  ///< calls kept, for programs that alternate

    /// A call with these arguments that no request uses at present, or null.
    std::shared_ptr<Prepared> find(const arguments::Key& key) {
        const std::lock_guard lock(mutex_);
        const auto found = place_of(key);
        if (found == none) return nullptr;
        use(found);
        return entries_[found]->prepared;
    }

    /// Binds the free call of this form that was used least recently to the arguments of the key.
    /// Returns null if there is none, or if it cannot be bound; then it is dropped. Also returns
    /// null if the call of this key was itself bound to other arguments a short while ago and there
    /// are few of its form: then the caller plans one more, so that calls between which a program
    /// alternates each have their own.
    /// @param suits  returns whether a kept call has the right candidate, and can be bound again
    /// @param rebind  binds a kept call to the arguments; returns whether it could
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

    /// Keeps a call. It replaces one with the same arguments and candidate, and the one used least
    /// recently if there are enough of its form. Does nothing if the key is empty.
    void keep(arguments::StoredKey key, std::shared_ptr<Prepared> prepared, Form form = 0) {
        if (key.empty()) return;
        std::vector<std::unique_ptr<Entry>> old;
        const std::lock_guard lock(mutex_);
        const auto same_candidate = [&](const Prepared& other) {
            return other.candidate == prepared->candidate;
        };
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (entries_[i] && labels_[i].hash == key.hash() &&
                same_candidate(*entries_[i]->prepared) && entries_[i]->key == key)
                old.push_back(take(i));
        if (form != 0) {
            const auto [oldest, count] = oldest_of(form, same_candidate);
            if (count >= most_of_form) old.push_back(take(oldest));
        }
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

    /// An old entry is destroyed outside the lock, since that may free MPI handles.
    struct Entry {
        arguments::StoredKey key;
        std::shared_ptr<Prepared> prepared;

        /// Whether it is that call, and free to be made again.
        bool is(const arguments::Key& call) { return key.shows(call) && is_free() && key.alive(); }

        /// Whether no request uses it. If so, this thread sees all that another one has done with
        /// it.
        bool is_free() const {
            const bool free = prepared.use_count() == 1;
            std::atomic_thread_fence(std::memory_order_acquire);
            return free;
        }
    };

    /// What distinguishes most entries, close together so that a search touches few cache lines.
    struct Label {
        std::uint64_t hash;
        Form form;
        std::uint64_t last_use;  // 0 where there is no entry
    };

    /// Compares the latest entries at once; for the others it is faster to compare hashes first.
    std::size_t place_of(const arguments::Key& key) {
        const auto is = [&](std::size_t i) { return entries_[i] && entries_[i]->is(key); };
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

    /// Takes an entry out, and leaves its place empty.
    std::unique_ptr<Entry> take(std::size_t place) {
        labels_[place] = {};
        emptied_ = place;
        return std::move(entries_[place]);
    }

    /// Puts an entry into an empty place, or that of the call used least recently, and returns what
    /// was there.
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
        entries_.reserve(labels_.size() + 1);  // neither fails after the other
        labels_.emplace_back();
        entries_.emplace_back();
        return entries_.size() - 1;
    }

    base::Mutex mutex_;  // another thread may progress a call that is then kept here
    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<Label> labels_;   // one for each entry
    std::size_t emptied_ = none;  // the place that was emptied last
    std::array<std::size_t, 4> latest_ = {none, none, none, none};
    std::uint64_t uses_ = 0;
    base::Latest<most_of_form> bound_over_;  // hashes of keys whose calls were bound to others
};

}  // namespace carpool::call
