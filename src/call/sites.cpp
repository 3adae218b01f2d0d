#include "call/sites.hpp"

#include "mpi/digest.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace carpool::call {
namespace {

std::int64_t class_of(std::int64_t number) {
    return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number)));
}

/// Which candidates there are: their numbers mean nothing among others.
std::int64_t digest_of_names(const Family& family,
                             const std::vector<choose::Candidate>& candidates) {
    mpi::Digest digest;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        for (const char letter : family.summary(i, {}).algorithm + ",") digest.add(letter);
    return static_cast<std::int64_t>(digest.bits());
}

}  // namespace

Sites::Key Sites::key_of(const Family& family, const std::vector<choose::Candidate>& candidates) {
    auto key = family.site();
    if (key.empty()) return key;
    const auto load = candidates.front().load();
    key.insert(key.end(), {class_of(load.messages()), class_of(load.blocks()),
                           class_of(load.bytes()), digest_of_names(family, candidates)});
    return key;
}

std::optional<std::size_t> Sites::known(const Key& key, std::int64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = found_.find(key);
    if (key.empty() || found == found_.end() || found->second.number >= number) return std::nullopt;
    return found->second.candidate;
}

/// What is kept stays: to make room would have to happen at the same call on all ranks.
void Sites::keep(Key key, std::size_t candidate, std::int64_t number) {
    constexpr std::size_t most = 1024;
    const std::lock_guard lock(mutex_);
    if (key.empty() || found_.size() >= most) return;
    found_.emplace(std::move(key), Found{candidate, number});
}

}  // namespace carpool::call
