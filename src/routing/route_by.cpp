// SPDX-License-Identifier: MIT
#include "routing/route_by.hpp"

#include "routing/arrangement.hpp"
#include "routing/destinations.hpp"
#include "routing/wide_words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

/// Blocks that rest at a rank, each with the targets that it is still to reach.
class WaitingBlocks {
public:
    struct Entry {
        BlockName block;
        int stop;
        std::size_t first_target;
    };

    void begin(const BlockName& block, int stop) {
        entries_.push_back({block, stop, targets_.size()});
    }
    void add_target(int target) { targets_.push_back(target); }

    std::span<const Entry> entries() const { return entries_; }
    std::span<const int> targets(std::size_t entry) const {
        const auto first = entries_[entry].first_target;
        const bool last = entry + 1 == entries_.size();
        const auto end = last ? targets_.size() : entries_[entry + 1].first_target;
        return std::span(targets_).subspan(first, end - first);
    }

private:
    std::vector<Entry> entries_;
    Words targets_;
};

/// Does a block go straight to its target? Both ends know its size, so they agree.
bool goes_straight(const GraphView& view, std::int64_t bytes) {
    return view.bytes != nullptr && bytes > view.options.longest;
}

/// Sends this rank's long blocks straight to their targets; returns the other ones.
WaitingBlocks own_blocks(const GraphView& view, Pattern pattern, Itinerary& itinerary) {
    WaitingBlocks waiting;
    auto blocks = blocks_to_send(view, pattern);
    if (pattern == Pattern::multicast)  // the targets of a block one behind the other
        std::ranges::stable_sort(blocks, {}, &OutgoingBlock::stop);
    for (const auto& [block, stop, target] : blocks) {
        if (goes_straight(view, itinerary.bytes(stop))) {
            itinerary.send(0, target, stop);
            continue;
        }
        const auto entries = waiting.entries();
        if (entries.empty() || entries.back().stop != stop) waiting.begin(block, stop);
        waiting.add_target(target);
    }
    return waiting;
}

/// Receives the long blocks of other ranks.
void receive_straight(const GraphView& view, const Destinations& destinations,
                      Itinerary& itinerary) {
    for (const auto& [block, bytes] : destinations.expected()) {
        if (!goes_straight(view, bytes)) continue;
        const int stop = itinerary.receive(0, block.origin, block.label);
        itinerary.weigh(stop, bytes);
        destinations.deliver(itinerary, stop, block);
    }
}

/// One phase of one rank: which blocks leave, and which stay.
class Departure {
public:
    Departure(const NextHop& next_hop, const GraphView& view, int phase, Itinerary& itinerary)
        : next_hop_(next_hop), view_(view), phase_(phase), itinerary_(itinerary) {}

    /// Sends all blocks on; returns the headers for each next hop.
    std::vector<SuperstepMessage> send(const WaitingBlocks& waiting) {
        for (std::size_t entry = 0; entry < waiting.entries().size(); ++entry) part(waiting, entry);
        std::stable_sort(
            leaving_.begin(), leaving_.end(),
            [](const LeavingTarget& a, const LeavingTarget& b) { return a.hop < b.hop; });
        std::vector<SuperstepMessage> messages;
        for (std::span rest(leaving_); !rest.empty();) {
            const auto together = first_alike(rest, &LeavingTarget::hop);
            messages.push_back({rest.front().hop, std::make_shared<const Words>(
                                                      headers(waiting, rest.first(together)))});
            rest = rest.subspan(together);
        }
        return messages;
    }

    WaitingBlocks stays;

private:
    /// A target of a block that leaves.
    struct LeavingTarget {
        int hop;
        std::size_t entry;
        int target;
    };

    /// How many of them, from the first on, have the same value there.
    template <typename Value>
    static std::size_t first_alike(std::span<const LeavingTarget> all,
                                   Value LeavingTarget::* value) {
        const auto other = std::find_if(all.begin(), all.end(), [&](const LeavingTarget& one) {
            return one.*value != all.front().*value;
        });
        return static_cast<std::size_t>(other - all.begin());
    }

    void part(const WaitingBlocks& waiting, std::size_t entry) {
        bool some_stay = false;
        for (const int target : waiting.targets(entry)) {
            const int hop = next_hop_.next(phase_, view_.rank, target);
            if (hop != view_.rank) {
                leaving_.push_back({hop, entry, target});
                continue;
            }
            if (!some_stay)
                stays.begin(waiting.entries()[entry].block, waiting.entries()[entry].stop);
            some_stay = true;
            stays.add_target(target);
        }
    }

    /// The name of each block, its size if sizes are known, the number of its targets, and the
    /// targets.
    Words headers(const WaitingBlocks& waiting, std::span<const LeavingTarget> rest) {
        constexpr std::size_t usual_words = 4;  // of a block for one target
        Words words;
        words.reserve(usual_words * rest.size());
        while (!rest.empty()) {
            const auto targets = rest.first(first_alike(rest, &LeavingTarget::entry));
            const auto& [block, stop, first] = waiting.entries()[targets.front().entry];
            itinerary_.send(phase_, targets.front().hop, stop);
            words.insert(words.end(), {block.origin, block.label});
            if (view_.bytes != nullptr) add_wide(words, itinerary_.bytes(stop));
            words.push_back(static_cast<int>(targets.size()));
            for (const auto& one : targets) words.push_back(one.target);
            rest = rest.subspan(targets.size());
        }
        return words;
    }

    const NextHop& next_hop_;
    const GraphView& view_;
    int phase_;
    Itinerary& itinerary_;
    std::vector<LeavingTarget> leaving_;
};

/// Receives the headers of the blocks of one message.
void receive(const SuperstepMessage& message, int phase, const GraphView& view,
             const Destinations& destinations, Itinerary& itinerary, WaitingBlocks& waiting) {
    const auto& words = *message.words;
    for (std::size_t at = 0; at < words.size();) {
        const BlockName block{words[at], words[at + 1]};
        at += 2;
        const int stop = itinerary.receive(phase, message.peer, block.label);
        if (view.bytes != nullptr) {
            itinerary.weigh(stop, wide_at(words, at));
            at += 2;
        }
        const auto targets = std::span(words).subspan(at + 1, static_cast<std::size_t>(words[at]));
        waiting.begin(block, stop);
        for (const int target : targets) {
            if (target == view.rank)
                destinations.deliver(itinerary, stop, block);
            else
                waiting.add_target(target);
        }
        at += 1 + targets.size();
    }
}

}  // namespace

Program<Itinerary> route_by(NextHop next_hop, GraphView view, Pattern pattern) {
    next_hop = arranged(
        std::move(next_hop),
        view.arrangement ? view.arrangement : arrangement_of(view.ranks, view.options.arrangement));
    Itinerary itinerary = started_itinerary(view, pattern);
    const Destinations destinations(view, pattern);
    receive_straight(view, destinations, itinerary);
    WaitingBlocks waiting = own_blocks(view, pattern, itinerary);
    for (int phase = 0; phase < next_hop.phases; ++phase) {
        Departure departure(next_hop, view, phase, itinerary);
        SuperstepMessages mine{departure.send(waiting)};
        waiting = std::move(departure.stays);
        const SuperstepMessages heard = co_await superstep(std::move(mine));
        for (const auto& message : heard.messages)
            receive(message, phase, view, destinations, itinerary, waiting);
    }
    itinerary.sort();
    co_return itinerary;
}

}  // namespace carpool::routing
