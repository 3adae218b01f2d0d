#include "call/contest.hpp"

#include "base/digest.hpp"
#include "choose/past_choices.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace carpool::call {
namespace {

/// Those that may be tried: none whose blocks on their way fill a rank's memory, but the simplest.
std::vector<choose::Chosen> to_measure(const std::vector<choose::Candidate>& candidates) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    std::vector<choose::Chosen> result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto load = candidates[i].load();
        if (result.empty() || load.temp_bytes <= most_bytes) result.push_back({i, load});
    }
    return result;
}

/// What is tried at work: wrong costs are wrong by a factor of two or three.
constexpr std::size_t most_at_work = 3;
constexpr double far_behind = 4;

std::int64_t class_of(std::int64_t number) {
    return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number)));
}

/// Which candidates there are: their numbers mean nothing among others.
std::int64_t digest_of_names(const Family& family,
                             const std::vector<choose::Candidate>& candidates) {
    base::Digest digest;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        for (const char letter : family.summary(i, {}).algorithm + ",") digest.add(letter);
    return static_cast<std::int64_t>(digest.bits());
}

/// That of a call at its site; none where the caller has named no site. Sizes within a factor of
/// two are of one class: of the simplest candidate's messages, blocks and bytes on the busiest
/// rank, which are degree and flow of what the ranks have for each other.
Sites::Key site_of(const Family& family, const std::vector<choose::Candidate>& candidates) {
    auto key = family.site();
    if (key.empty()) return key;
    const auto load = candidates.front().load();
    key.insert(key.end(), {class_of(load.messages()), class_of(load.blocks()),
                           class_of(load.bytes()), digest_of_names(family, candidates)});
    return key;
}

}  // namespace

Contest contest(Family& family, const CallContext& context) {
    const auto& ticket = context.ticket;
    const auto candidates = family.candidates();
    const bool at_work = ticket.persistent && family.tries_at_work();
    if (candidates.size() == 1) return {to_measure(candidates), {}, at_work};
    auto site = context.sites ? site_of(family, candidates) : Sites::Key();
    if (const auto known = context.sites ? context.sites->known(site, ticket.number) : std::nullopt)
        return {{{*known, candidates[*known].load()}}};
    if (ticket.together && family.measures()) return {to_measure(candidates), std::move(site)};
    if (at_work)
        return {choose::front_runners(family.machine(), candidates, most_at_work, far_behind),
                {},
                true};
    return {{choose::PastChoices::all().remembered(
        family.key(), [&] { return choose::cheapest(family.machine(), candidates); })}};
}

}  // namespace carpool::call
