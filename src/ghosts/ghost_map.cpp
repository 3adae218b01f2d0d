// SPDX-License-Identifier: MIT
#include "ghosts/ghost_map.hpp"

#include "ghosts/classes.hpp"
#include "routing/wide_words.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace carpool::ghosts {
namespace {

using routing::SuperstepMessage;
using routing::SuperstepMessages;
using routing::Words;

constexpr std::size_t words_of_entry = 3;

/// What an owner answers in place of classes if it does not have an entry; the number of its
/// entries follows.
constexpr int refusal = -1;

SuperstepMessage message(int to, Words words) {
    return {to, std::make_shared<const Words>(std::move(words))};
}

/// Messages that tell each owner the entries that this rank needs, and how often.
SuperstepMessages need_messages(std::span<const Need> needs) {
    SuperstepMessages all;
    for (const auto& need : needs) {
        Words words;
        words.reserve(words_of_entry * need.entries.size());
        for (const auto& [index, times] : need.entries) {
            routing::add_wide(words, index);
            words.push_back(times);
        }
        all.messages.push_back(message(need.owner, std::move(words)));
    }
    return all;
}

/// The takers whose needs have come, by ascending rank.
std::vector<Taker> takers_in(const SuperstepMessages& needs) {
    std::vector<Taker> takers;
    for (const auto& [rank, words] : needs.messages) {
        auto& taker = takers.emplace_back(Taker{rank, {}});
        taker.entries.reserve(words->size() / words_of_entry);
        for (std::size_t at = 0; at < words->size(); at += words_of_entry)
            taker.entries.push_back({routing::wide_at(*words, at), (*words)[at + 2]});
    }
    return takers;
}

/// Removes the takers of an entry that does not exist, and returns their ranks.
std::vector<int> remove_mistaken(std::vector<Taker>& takers, std::int64_t owned) {
    std::vector<int> ranks;
    std::erase_if(takers, [&](const Taker& taker) {
        const bool is_mistaken = taker.entries.back().index >= owned;
        if (is_mistaken) ranks.push_back(taker.rank);
        return is_mistaken;
    });
    return ranks;
}

/// Messages that tell each taker the classes of its entries, in their order.
/// @param mistaken  the ranks of takers that are refused
SuperstepMessages answer_messages(std::span<const Taker> takers, const Classes& classes,
                                  std::span<const int> mistaken, std::int64_t owned) {
    SuperstepMessages all;
    for (std::size_t i = 0; i < takers.size(); ++i)
        all.messages.push_back(message(takers[i].rank, classes.of_entries[i]));
    for (const int rank : mistaken) {
        Words words{refusal};
        routing::add_wide(words, owned);
        all.messages.push_back(message(rank, std::move(words)));
    }
    return all;
}

/// The first ghost that an owner has refused.
/// @param answers  of the owners, in the order of `needs`
std::optional<NoSuchEntry> refusal_in(const SuperstepMessages& answers,
                                      std::span<const Need> needs) {
    std::optional<NoSuchEntry> first;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const auto& words = *answers.messages[i].words;
        if (words.front() != refusal) continue;
        const auto owned = routing::wide_at(words, 1);
        std::size_t ghost = 0;
        for (const auto& [index, times] : needs[i].entries)
            for (int time = 0; time < times; ++time, ++ghost) {
                const auto position = needs[i].positions[ghost];
                if (index >= owned && (!first || position < first->ghost))
                    first = NoSuchEntry{position, owned};
            }
    }
    return first;
}

void add_sent(GhostMap& map, Classes classes) {
    for (std::size_t number = 0; number < classes.ranks.size(); ++number)
        for (std::size_t i = 0; i < classes.ranks[number].size(); ++i) {
            map.edges.out.push_back({classes.ranks[number][i], static_cast<int>(number)});
            map.entries.out.push_back(std::ssize(classes.entries[number]));
            map.times.push_back(classes.times[number][i]);
        }
    map.sent = std::move(classes.entries);
}

/// The edges from owners, as they are found.
class IncomingEdges {
public:
    /// @param classes  of the entries of one owner
    void add(const Need& need, std::span<const int> classes) {
        const auto first = number_edges(need, classes);
        std::size_t ghost = 0;
        for (std::size_t i = 0; i < classes.size(); ++i)
            for (int time = 0; time < need.entries[i].times; ++time)
                ghosts_.push_back({first.at(classes[i]) + static_cast<std::size_t>(time),
                                   need.positions[ghost++]});
    }

    void move_to(GhostMap& map) {
        map.received = IndexLists(entries_);
        std::vector<std::size_t> filled(entries_.size());
        for (const auto& [edge, position] : ghosts_) map.received[edge][filled[edge]++] = position;
        map.edges.in = std::move(edges_);
        map.entries.in = std::move(entries_);
    }

private:
    struct Ghost {
        std::size_t edge;
        std::int64_t position;
    };

    /// Adds an edge for each class and each of the ghosts that an entry of it has; returns the
    /// first edge of each class.
    std::map<int, std::size_t> number_edges(const Need& need, std::span<const int> classes) {
        std::map<int, std::pair<int, std::int64_t>> found;  // times, and number of entries
        for (std::size_t i = 0; i < classes.size(); ++i) {
            auto& [times, entries] = found[classes[i]];
            times = need.entries[i].times;
            ++entries;
        }
        std::map<int, std::size_t> first;
        for (const auto& [number, what] : found) {
            first[number] = edges_.size();
            for (int time = 0; time < what.first; ++time) {
                edges_.push_back({need.owner, number});
                entries_.push_back(what.second);
            }
        }
        return first;
    }

    std::vector<topology::Edge> edges_;
    std::vector<std::int64_t> entries_;
    std::vector<Ghost> ghosts_;
};

/// @param answers  of the owners, in the order of `needs`
GhostMap map_of(std::span<const Need> needs, const SuperstepMessages& answers, Classes classes) {
    GhostMap map;
    add_sent(map, std::move(classes));
    IncomingEdges incoming;
    for (std::size_t i = 0; i < needs.size(); ++i)
        incoming.add(needs[i], *answers.messages[i].words);
    incoming.move_to(map);
    return map;
}

}  // namespace

routing::Program<std::variant<GhostMap, NoSuchEntry>> find_map(std::int64_t owned,
                                                               GhostList ghosts) {
    const auto needs = needs_of(ghosts);
    SuperstepMessages mine = need_messages(needs);
    const SuperstepMessages heard = co_await routing::superstep(std::move(mine));
    auto takers = takers_in(heard);
    const auto mistaken = remove_mistaken(takers, owned);
    auto classes = classes_of(takers);
    mine = answer_messages(takers, classes, mistaken, owned);
    const SuperstepMessages answers = co_await routing::superstep(std::move(mine));
    if (const auto missing = refusal_in(answers, needs)) co_return *missing;
    co_return map_of(needs, answers, std::move(classes));
}

}  // namespace carpool::ghosts
