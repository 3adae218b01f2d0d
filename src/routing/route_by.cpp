#include "routing/route_by.hpp"

#include "routing/arrangement.hpp"
#include "routing/destinations.hpp"
#include "routing/wide_words.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace carpool::routing {
namespace {

/// Blocks that rest at a rank, each with the targets that it is still to reach.
class Waiting {
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
Waiting own_blocks(const GraphView& view, Pattern pattern, Itinerary& itinerary) {
    Waiting waiting;
    for (const auto& [block, stop, target] : blocks_to_send(view, pattern)) {
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

/// Per next hop, the headers of its blocks: the name of each block, its size if sizes are known,
/// the number of its targets, and the targets.
using Headers = std::map<int, Words>;

/// One phase of one rank: which blocks leave, and which stay.
class Departure {
public:
    Departure(const NextHop& next_hop, const GraphView& view, int phase, Itinerary& itinerary)
        : next_hop_(next_hop), view_(view), phase_(phase), itinerary_(itinerary) {}

    void send(const Waiting& waiting, std::size_t number) {
        const auto& [block, stop, first] = waiting.entries()[number];
        std::map<int, Words> by_hop;
        for (const int target : waiting.targets(number))
            by_hop[next_hop_.next(phase_, view_.rank, target)].push_back(target);
        for (const auto& [hop, targets] : by_hop) {
            if (hop == view_.rank) {
                stays.begin(block, stop);
                for (const int target : targets) stays.add_target(target);
            } else {
                itinerary_.send(phase_, hop, stop);
                add_header(headers[hop], block, itinerary_.bytes(stop), targets);
            }
        }
    }

    Waiting stays;
    Headers headers;

private:
    void add_header(Words& header, const BlockName& block, std::int64_t bytes,
                    std::span<const int> targets) const {
        header.insert(header.end(), {block.origin, block.label});
        if (view_.bytes != nullptr) add_wide(header, bytes);
        header.push_back(static_cast<int>(targets.size()));
        header.insert(header.end(), targets.begin(), targets.end());
    }

    const NextHop& next_hop_;
    const GraphView& view_;
    int phase_;
    Itinerary& itinerary_;
};

std::vector<SuperstepMessage> messages_of(Headers headers) {
    std::vector<SuperstepMessage> messages;
    for (auto& [hop, words] : headers)
        messages.push_back({hop, std::make_shared<const Words>(std::move(words))});
    return messages;
}

/// Receives the headers of the blocks of one message.
void receive(const SuperstepMessage& message, int phase, const GraphView& view,
             const Destinations& destinations, Itinerary& itinerary, Waiting& waiting) {
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
    next_hop = arranged(std::move(next_hop), view.ranks, view.options.arrangement);
    Itinerary itinerary = started_itinerary(view, pattern);
    const Destinations destinations(view, pattern);
    receive_straight(view, destinations, itinerary);
    Waiting waiting = own_blocks(view, pattern, itinerary);
    for (int phase = 0; phase < next_hop.phases; ++phase) {
        Departure departure(next_hop, view, phase, itinerary);
        for (std::size_t i = 0; i < waiting.entries().size(); ++i) departure.send(waiting, i);
        waiting = std::move(departure.stays);
        SuperstepMessages mine{messages_of(std::move(departure.headers))};
        const SuperstepMessages heard = co_await superstep(std::move(mine));
        for (const auto& message : heard.messages)
            receive(message, phase, view, destinations, itinerary, waiting);
    }
    itinerary.sort();
    co_return itinerary;
}

}  // namespace carpool::routing
