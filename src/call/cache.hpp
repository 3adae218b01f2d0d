#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::call {

/// Numbers that are the same for calls with the same arguments; none where they may mean something
/// else next time.
using Signature = std::vector<std::int64_t>;

/// The latest blocking and nonblocking calls of a communicator, for when they come again with the
/// same arguments. Purely local: a call found here sends the same messages as one that is not.
template <typename Prepared>
class Cache {
public:
    /// A call with these arguments that no request uses at present, or null.
    std::shared_ptr<Prepared> find(const Signature& signature) {
        if (signature.empty()) return nullptr;
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.signature == signature && entry.prepared.use_count() == 1;
        });
        if (found == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found);
        return entries_.front().prepared;
    }

    /// Keeps a call; nothing without signature.
    void keep(Signature signature, std::shared_ptr<Prepared> prepared) {
        constexpr std::size_t most_entries = 16;
        if (signature.empty()) return;
        const std::lock_guard lock(mutex_);
        entries_.push_front({std::move(signature), std::move(prepared)});
        if (entries_.size() > most_entries) entries_.pop_back();
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        entries_.clear();
    }

private:
    struct Entry {
        Signature signature;
        std::shared_ptr<Prepared> prepared;
    };

    std::mutex mutex_;          // another thread may progress a call that is then kept here
    std::list<Entry> entries_;  // the latest first
};

}  // namespace carpool::call
