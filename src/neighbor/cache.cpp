#include "neighbor/cache.hpp"

#include "neighbor/prepared.hpp"

#include <algorithm>

namespace carpool::neighbor {
namespace {

constexpr std::size_t most_entries = 16;

}  // namespace

std::shared_ptr<Prepared> Cache::find(const Signature& signature) {
    if (signature.empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.signature == signature && entry.prepared.use_count() == 1;
    });
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return entries_.front().prepared;
}

void Cache::keep(Signature signature, std::shared_ptr<Prepared> prepared) {
    if (signature.empty()) return;
    const std::lock_guard lock(mutex_);
    entries_.push_front({std::move(signature), std::move(prepared)});
    if (entries_.size() > most_entries) entries_.pop_back();
}

void Cache::clear() {
    const std::lock_guard lock(mutex_);
    entries_.clear();
}

}  // namespace carpool::neighbor
