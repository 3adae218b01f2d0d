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

/// Tells each owner the entries that this rank wants, and how often.
SuperstepMessages wishes(std::span<const Wanted> all) {
    SuperstepMessages mine;
    for (const auto& wanted : all) {
        Words words;
        words.reserve(words_of_entry * wanted.entries.size());
        for (const auto& [index, times] : wanted.entries) {
            routing::add_wide(words, index);
            words.push_back(times);
        }
        mine.messages.push_back(message(wanted.owner, std::move(words)));
    }
    return mine;
}

/// What the takers have told, by ascending rank.
std::vector<Taken> taken(const SuperstepMessages& heard) {
    std::vector<Taken> all;
    for (const auto& [taker, words] : heard.messages) {
        auto& one = all.emplace_back(Taken{taker, {}});
        one.entries.reserve(words->size() / words_of_entry);
        for (std::size_t at = 0; at < words->size(); at += words_of_entry)
            one.entries.push_back({routing::wide_at(*words, at), (*words)[at + 2]});
    }
    return all;
}

/// Takes away, and returns, those who want an entry that is not there.
std::vector<int> refused(std::vector<Taken>& all, std::int64_t owned) {
    std::vector<int> takers;
    std::erase_if(all, [&](const Taken& one) {
        const bool refuses = one.entries.back().index >= owned;
        if (refuses) takers.push_back(one.taker);
        return refuses;
    });
    return takers;
}

/// Tells each taker in which classes its entries are, in their order.
SuperstepMessages answers(std::span<const Taken> taken, const Classes& classes,
                          std::span<const int> refused, std::int64_t owned) {
    SuperstepMessages mine;
    for (std::size_t i = 0; i < taken.size(); ++i)
        mine.messages.push_back(message(taken[i].taker, classes.of_entries[i]));
    for (const int taker : refused) {
        Words words{refusal};
        routing::add_wide(words, owned);
        mine.messages.push_back(message(taker, std::move(words)));
    }
    return mine;
}

/// The first ghost that an owner has refused.
std::optional<NoSuchEntry> refusal_in(const SuperstepMessages& heard,
                                      std::span<const Wanted> wanted) {
    std::optional<NoSuchEntry> first;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& words = *heard.messages[i].words;
        if (words.front() != refusal) continue;
        const auto owned = routing::wide_at(words, 1);
        std::size_t ghost = 0;
        for (const auto& [index, times] : wanted[i].entries)
            for (int time = 0; time < times; ++time, ++ghost) {
                const auto position = wanted[i].positions[ghost];
                if (index >= owned && (!first || position < first->ghost))
                    first = NoSuchEntry{position, owned};
            }
    }
    return first;
}

void add_sent(GhostMap& map, Classes classes) {
    for (std::size_t number = 0; number < classes.takers.size(); ++number)
        for (const int taker : classes.takers[number]) {
            map.edges.out.push_back({taker, static_cast<int>(number)});
            map.entries.out.push_back(std::ssize(classes.entries[number]));
        }
    map.sent = std::move(classes.entries);
}

/// The edges from owners, as they are found.
class Incoming {
public:
    /// @param classes  of the entries of one owner
    void add(const Wanted& wanted, std::span<const int> classes) {
        const auto first = number_edges(wanted, classes);
        std::size_t ghost = 0;
        for (std::size_t i = 0; i < classes.size(); ++i)
            for (int time = 0; time < wanted.entries[i].times; ++time)
                ghosts_.push_back({first.at(classes[i]) + static_cast<std::size_t>(time),
                                   wanted.positions[ghost++]});
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

    /// Adds an edge for each class and each time that its entries are taken; returns the first edge
    /// of each class.
    std::map<int, std::size_t> number_edges(const Wanted& wanted, std::span<const int> classes) {
        std::map<int, std::pair<int, std::int64_t>> found;  // times, and number of entries
        for (std::size_t i = 0; i < classes.size(); ++i) {
            auto& [times, entries] = found[classes[i]];
            times = wanted.entries[i].times;
            ++entries;
        }
        std::map<int, std::size_t> first;
        for (const auto& [number, what] : found) {
            first[number] = edges_.size();
            for (int time = 0; time < what.first; ++time) {
                edges_.push_back({wanted.owner, number});
                entries_.push_back(what.second);
            }
        }
        return first;
    }

    std::vector<topology::Edge> edges_;
    std::vector<std::int64_t> entries_;
    std::vector<Ghost> ghosts_;
};

/// @param answered  by the owners, in the order of `wanted`
GhostMap map_of(std::span<const Wanted> wanted, const SuperstepMessages& answered,
                Classes classes) {
    GhostMap map;
    add_sent(map, std::move(classes));
    Incoming incoming;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        incoming.add(wanted[i], *answered.messages[i].words);
    incoming.move_to(map);
    return map;
}

}  // namespace

routing::Program<std::variant<GhostMap, NoSuchEntry>> mapped(std::int64_t owned, Ghosts ghosts) {
    const auto wanted = ghosts::wanted(ghosts);
    SuperstepMessages mine = wishes(wanted);
    const SuperstepMessages heard = co_await routing::superstep(std::move(mine));
    auto taken = ghosts::taken(heard);
    const auto refused = ghosts::refused(taken, owned);
    auto classes = classes_of(taken);
    mine = answers(taken, classes, refused, owned);
    const SuperstepMessages answered = co_await routing::superstep(std::move(mine));
    if (const auto missing = refusal_in(answered, wanted)) co_return *missing;
    co_return map_of(wanted, answered, std::move(classes));
}

}  // namespace carpool::ghosts
