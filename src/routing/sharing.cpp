// SPDX-License-Identifier: MIT
#include "routing/sharing.hpp"

#include "routing/handover.hpp"
#include "routing/membership_counts.hpp"
#include "routing/wide_words.hpp"
#include "topology/bits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace carpool::routing {
namespace {

std::vector<int> sources_of(const GraphView& view) {
    std::vector<int> sources;
    for (const auto& edge : view.edges->in)
        if (edge.peer != topology::no_rank && edge.peer != view.rank) sources.push_back(edge.peer);
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

Sharing::Sharing(const GraphView& view, Pattern pattern, CombiningPolicy combining)
    : view_(view),
      combining_(combining),
      itinerary_(started_itinerary(view, pattern)),
      destinations_(view, pattern),
      names_(static_cast<std::size_t>(itinerary_.blocks())),
      sources_(sources_of(view)) {
    for (const auto& [block, stop, target] : blocks_to_send(view, pattern)) {
        if (targets_.empty() || targets_.back().rank != target)
            targets_.push_back({target, {}, {}});
        targets_.back().bundle.push_back(stop);
        names_[static_cast<std::size_t>(stop)] = block;
    }
}

SuperstepMessages Sharing::tell_sources() {
    SuperstepMessages mail;
    if (!std::exchange(sources_are_news_, false)) return mail;
    const auto row = std::make_shared<const Words>(RankSet::written(sources_, view_.ranks));
    mail.messages.reserve(sources_.size());
    for (const int source : sources_) mail.messages.push_back({source, row});
    return mail;
}

/// Messages come by ascending sender, so one pass finds the targets that sent them.
void Sharing::read_rows(SuperstepMessages rows) {
    auto target = targets_.begin();
    for (auto& message : rows.messages) {
        while (target != targets_.end() && target->rank < message.peer) ++target;
        if (target == targets_.end()) return;
        if (target->rank == message.peer)
            target->sources = RankSet(std::move(message.words), view_.ranks);
    }
}

std::vector<Friend> Sharing::friends() {
    std::vector<Friend> friends;
    if (friendless_) return friends;
    MembershipCounts in_common(view_.ranks);
    for (const auto& target : targets_) in_common.add(target.sources);
    for (const auto& [rank, common] : in_common.in_at_least(view_.options.theta))
        if (rank != view_.rank) friends.push_back({rank, common});
    friendless_ = friends.empty();
    return friends;
}

SuperstepMessages Sharing::divide(const Match& matched) {
    SuperstepMessages mail;
    if (matched.partner >= 0) mail.messages = divided(matched.partner);
    if (matched.friendless) mail.marks = marks();
    return mail;
}

std::vector<SuperstepMessage> Sharing::divided(int partner) {
    std::vector<Target> others;
    std::vector<Target> common;
    for (auto& target : targets_)
        (target.sources.contains(partner) ? common : others).push_back(std::move(target));
    targets_ = std::move(others);
    const auto first_half = (static_cast<std::ptrdiff_t>(common.size()) + 1) / 2;
    auto kept = std::span(common).first(static_cast<std::size_t>(first_half));
    auto handed_over = std::span(common).subspan(kept.size());
    if (view_.rank > partner) std::swap(kept, handed_over);
    taken_over_.assign(std::move_iterator(kept.begin()), std::move_iterator(kept.end()));
    std::vector<SuperstepMessage> messages{{partner, hand_over(partner, handed_over)}};
    Words gone{partner};
    if (combining_ == CombiningPolicy::once) gone.push_back(view_.rank);
    const auto notice = std::make_shared<const Words>(std::move(gone));
    for (const auto& target : taken_over_) messages.push_back({target.rank, notice});
    return messages;
}

void Sharing::read_division(const SuperstepMessages& division, int partner) {
    std::vector<int> gone;
    for (const auto& message : division.messages) {
        if (message.peer == partner)
            take_over(message);
        else
            gone.insert(gone.end(), message.words->begin(), message.words->end());
    }
    forget_sources(std::move(gone), division.board.get());
    auto onloaded = std::exchange(taken_over_, {});
    if (combining_ == CombiningPolicy::once) return append(served_, std::move(onloaded));
    const auto middle = static_cast<std::ptrdiff_t>(targets_.size());
    append(targets_, std::move(onloaded));
    std::inplace_merge(targets_.begin(), targets_.begin() + middle, targets_.end(),
                       [](const Target& a, const Target& b) { return a.rank < b.rank; });
}

SuperstepMessages Sharing::finish() {
    append(targets_, std::exchange(served_, {}));
    SuperstepMessages mail;
    for (const auto& target : targets_) {
        const int phase = phase_after(target.bundle);
        Words words{phase};
        for (const int stop : target.bundle) {
            itinerary_.send(phase, target.rank, stop);
            const auto& name = names_[static_cast<std::size_t>(stop)];
            words.insert(words.end(), {name.origin, name.label});
            if (sized()) add_wide(words, itinerary_.bytes(stop));
        }
        mail.messages.push_back({target.rank, std::make_shared<const Words>(std::move(words))});
    }
    return mail;
}

Itinerary Sharing::read_finish(const SuperstepMessages& last) {
    for (const auto& message : last.messages) {
        const auto& words = *message.words;
        for (std::size_t at = 1; at < words.size(); at += sized() ? 4 : 2) {
            const BlockName block{words[at], words[at + 1]};
            const int stop = itinerary_.receive(words.front(), message.peer, block.label);
            if (sized()) itinerary_.weigh(stop, wide_at(words, at + 2));
            destinations_.deliver(itinerary_, stop, block);
        }
    }
    itinerary_.sort();
    return std::move(itinerary_);
}

/// One bit per rank, set if the rank has no friends any more.
Marks Sharing::marks() const {
    Marks marks{topology::words_of_bits(view_.ranks)};
    if (friendless_) marks.bits.push_back(view_.rank);
    return marks;
}

int Sharing::phase_after(std::span<const int> stops) const {
    int latest = -1;
    for (const int stop : stops) latest = std::max(latest, itinerary_.arrival(stop));
    return latest + 1;
}

/// Sends the partner the blocks for some targets, each block once.
std::shared_ptr<const Words> Sharing::hand_over(int partner, std::span<const Target> targets) {
    Handover handover{};
    std::map<int, int> place;  // per stop, its index among the blocks
    std::vector<int> stops;
    for (const auto& target : targets) {
        auto& bundle = handover.bundles.emplace_back();
        for (const int stop : target.bundle) {
            const auto [at, is_new] = place.try_emplace(stop, static_cast<int>(stops.size()));
            if (is_new) stops.push_back(stop);
            bundle.push_back(at->second);
        }
    }
    handover.phase = phase_after(stops);
    for (const int stop : stops) {
        itinerary_.send(handover.phase, partner, stop);
        handover.blocks.push_back(names_[static_cast<std::size_t>(stop)]);
        if (sized()) handover.bytes.push_back(itinerary_.bytes(stop));
    }
    return std::make_shared<const Words>(written(handover));
}

/// Both ends list the common targets in the same order, so bundle i is for target i.
void Sharing::take_over(const SuperstepMessage& message) {
    const auto handover = read_handover(*message.words, sized());
    const int first = itinerary_.stops();
    for (const auto& block : handover.blocks) {
        itinerary_.receive(handover.phase, message.peer, block.label);
        names_.push_back(block);
    }
    for (std::size_t i = 0; i < handover.bytes.size(); ++i)
        itinerary_.weigh(first + static_cast<int>(i), handover.bytes[i]);
    for (std::size_t i = 0; i < taken_over_.size(); ++i)
        for (const int block : handover.bundles[i]) taken_over_[i].bundle.push_back(first + block);
}

/// The other sources must be notified of sources that are gone, but not of sources that have no
/// friends, since these share nothing any more.
/// @param friendless  null if all have friends
void Sharing::forget_sources(std::vector<int> gone, const Board* friendless) {
    sources_are_news_ = !gone.empty();
    std::sort(gone.begin(), gone.end());
    std::erase_if(sources_, [&](int source) {
        return (friendless != nullptr && topology::has_bit(*friendless, source)) ||
               std::binary_search(gone.begin(), gone.end(), source);
    });
}

}  // namespace carpool::routing
