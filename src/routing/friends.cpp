#include "routing/rule.hpp"

#include "routing/delivery.hpp"
#include "routing/matching.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace carpool::routing {
namespace {

enum class Combining {
    once,       ///< each target is shared with one friend, as in [3]
    cumulative  ///< what a friend took over is shared with further friends, as [3] §VII proposes
};

/// A row of the matrix M of [3]: the sources of a target, as it has told them at first, and who of
/// them has left since.
class Row {
public:
    void add(std::shared_ptr<const Words> words) {
        (sources_ ? gone_.emplace_back() : sources_) = std::move(words);
    }

    bool known() const { return sources_ != nullptr; }

    bool has(int source) const {
        if (!std::binary_search(sources_->begin(), sources_->end(), source)) return false;
        return std::none_of(gone_.begin(), gone_.end(), [source](const auto& gone) {
            return std::binary_search(gone->begin(), gone->end(), source);
        });
    }

    /// Adds `sign` for each active source.
    void count(std::vector<int>& common, int sign) const {
        for (const int source : *sources_) common[static_cast<std::size_t>(source)] += sign;
        for (const auto& gone : gone_)
            for (const int source : *gone) common[static_cast<std::size_t>(source)] -= sign;
    }

private:
    std::shared_ptr<const Words> sources_;
    std::vector<std::shared_ptr<const Words>> gone_;
};

/// A rank that is still to get some blocks from here.
struct Target {
    int rank;
    std::vector<int> bundle;  ///< stops of the blocks that it gets in one message
    Row row;                  ///< its active sources
};

/// One rank's part of [3] algorithm 1.
class Member {
public:
    Member(const GraphView& view, Pattern pattern)
        : view_(view),
          common_(static_cast<std::size_t>(view.ranks)),
          itinerary_(started_itinerary(view, pattern)),
          destinations_(view, pattern) {
        for (const auto& [block, stop, target] : blocks_to_send(view, pattern)) {
            if (targets_.empty() || targets_.back().rank != target)
                targets_.push_back({target, {}, {}});
            targets_.back().bundle.push_back(stop);
        }
        names_.resize(static_cast<std::size_t>(itinerary_.blocks()));
        for (const auto& [block, stop, target] : blocks_to_send(view, pattern))
            names_[static_cast<std::size_t>(stop)] = block;
        for (const auto& edge : view.edges->in)
            if (edge.peer != topology::no_rank && edge.peer != view.rank)
                sources_.insert(edge.peer);
        news_.assign(sources_.begin(), sources_.end());
    }

    /// Tells the active sources who they are, or who of them has left: [3] §IV-B1 and 3.
    Mail row() {
        Mail mail;
        const auto words = std::make_shared<const Words>(std::exchange(news_, {}));
        if (words->empty()) return mail;
        for (const int source : sources_) mail.letters.push_back({source, words});
        return mail;
    }

    void read_rows(std::span<const Letter> letters) {
        for (const auto& letter : letters) {
            auto* target = find(letter.peer);
            if (target == nullptr) continue;
            Row news;
            news.add(letter.words);
            news.count(common_, target->row.known() ? -1 : 1);
            target->row.add(letter.words);
        }
    }

    std::vector<Friend> friends_now() const {
        std::vector<Friend> friends;
        for (int rank = 0; rank < view_.ranks; ++rank)
            if (const int common = common_[static_cast<std::size_t>(rank)];
                common >= view_.theta && rank != view_.rank)
                friends.push_back({rank, common});
        return friends;
    }

    /// Divides the common targets: the lower rank keeps the first half, the other the second.
    /// Offloads the partner's, and tells one's own who will not come to them any more.
    Mail divide(int partner, Combining combining) {
        std::vector<Target> mine;
        std::vector<Target> common;
        for (auto& target : targets_)
            (target.row.has(partner) ? common : mine).push_back(std::move(target));
        const auto first_half = (static_cast<std::ptrdiff_t>(common.size()) + 1) / 2;
        auto kept = std::span(common).first(static_cast<std::size_t>(first_half));
        auto offloaded = std::span(common).subspan(kept.size());
        if (view_.rank > partner) std::swap(kept, offloaded);
        for (const auto& target : combining == Combining::once ? std::span(common) : offloaded)
            target.row.count(common_, -1);
        targets_ = std::move(mine);
        onloaded_.assign(std::move_iterator(kept.begin()), std::move_iterator(kept.end()));
        Mail mail;
        mail.letters.push_back({partner, freight(partner, offloaded)});
        Words gone{partner};
        if (combining == Combining::once) gone.push_back(view_.rank);
        const auto notice = std::make_shared<const Words>(std::move(gone));
        for (const auto& target : onloaded_) mail.letters.push_back({target.rank, notice});
        return mail;
    }

    /// The blocks that the partner has offloaded, and what one's sources say of who has left.
    void read_division(std::span<const Letter> letters, int partner, Combining combining) {
        for (const auto& letter : letters) {
            if (letter.peer == partner) {
                onload(letter);
                continue;
            }
            for (const int gone : *letter.words)
                if (sources_.erase(gone) > 0) news_.push_back(gone);
        }
        std::sort(news_.begin(), news_.end());
        auto& kept = combining == Combining::once ? served_ : targets_;
        std::move(onloaded_.begin(), onloaded_.end(), std::back_inserter(kept));
        onloaded_.clear();
        std::sort(targets_.begin(), targets_.end(),
                  [](const Target& a, const Target& b) { return a.rank < b.rank; });
    }

    /// Sends every target what is left for it, and tells it what that is.
    Mail finish() {
        std::move(served_.begin(), served_.end(), std::back_inserter(targets_));
        Mail mail;
        for (const auto& target : targets_) {
            const int phase = phase_after(target.bundle);
            Words words{phase};
            for (const int stop : target.bundle) {
                itinerary_.send(phase, target.rank, stop);
                add_name(words, stop);
            }
            mail.letters.push_back({target.rank, std::make_shared<const Words>(std::move(words))});
        }
        return mail;
    }

    Itinerary read_finish(std::span<const Letter> letters) {
        for (const auto& letter : letters) {
            const auto& words = *letter.words;
            for (std::size_t at = 1; at < words.size(); at += 2)
                destinations_.deliver(itinerary_, itinerary_.receive(words.front(), letter.peer),
                                      {words[at], words[at + 1]});
        }
        itinerary_.sort();
        return std::move(itinerary_);
    }

private:
    Target* find(int rank) {
        const auto found =
            std::lower_bound(targets_.begin(), targets_.end(), rank,
                             [](const Target& target, int wanted) { return target.rank < wanted; });
        return found != targets_.end() && found->rank == rank ? &*found : nullptr;
    }

    int phase_after(std::span<const int> stops) const {
        int latest = -1;
        for (const int stop : stops) latest = std::max(latest, itinerary_.arrival(stop));
        return latest + 1;
    }

    void add_name(Words& words, int stop) const {
        const auto& name = names_[static_cast<std::size_t>(stop)];
        words.insert(words.end(), {name.origin, name.label});
    }

    /// Sends the blocks of some targets, each once, and says: the phase, how many blocks, their
    /// names, and per target by how many and which of them it is reached.
    std::shared_ptr<const Words> freight(int partner, std::span<const Target> targets) {
        std::map<int, int> place;  // of a stop among the blocks
        std::vector<int> stops;
        Words bundles;
        for (const auto& target : targets) {
            bundles.push_back(static_cast<int>(target.bundle.size()));
            for (const int stop : target.bundle) {
                const auto [at, is_new] = place.try_emplace(stop, static_cast<int>(stops.size()));
                if (is_new) stops.push_back(stop);
                bundles.push_back(at->second);
            }
        }
        const int phase = phase_after(stops);
        Words words{phase, static_cast<int>(stops.size())};
        for (const int stop : stops) {
            itinerary_.send(phase, partner, stop);
            add_name(words, stop);
        }
        words.insert(words.end(), bundles.begin(), bundles.end());
        return std::make_shared<const Words>(std::move(words));
    }

    void onload(const Letter& letter) {
        const auto& words = *letter.words;
        const int first = itinerary_.stops();
        std::size_t at = 2;
        for (int i = 0; i < words[1]; ++i, at += 2) {
            itinerary_.receive(words[0], letter.peer);
            names_.push_back({words[at], words[at + 1]});
        }
        for (auto& target : onloaded_)
            for (int left = words[at++]; left > 0; --left)
                target.bundle.push_back(first + words[at++]);
    }

    GraphView view_;
    std::vector<int> common_;  // per rank, active targets that it shares
    Itinerary itinerary_;
    Destinations destinations_;
    std::vector<BlockName> names_;  // of stops
    std::vector<Target> targets_;   // active, by ascending rank
    std::vector<Target> onloaded_;  // from both, in this iteration
    std::vector<Target> served_;    // get a combined message
    std::set<int> sources_;         // active
    Words news_;                    // for them
};

Program<Itinerary> route(GraphView view, Pattern pattern, Combining combining) {
    Member member(view, pattern);
    while (true) {
        Mail mine = member.row();
        const Mail rows = co_await superstep(std::move(mine));
        member.read_rows(rows.letters);
        auto friends_now = member.friends_now();
        const Match matched = co_await match(view.rank, view.ranks, std::move(friends_now));
        if (!matched.anyone) break;
        mine = {};
        if (matched.partner >= 0) mine = member.divide(matched.partner, combining);
        const Mail division = co_await superstep(std::move(mine));
        member.read_division(division.letters, matched.partner, combining);
    }
    Mail mine = member.finish();
    const Mail last = co_await superstep(std::move(mine));
    co_return member.read_finish(last.letters);
}

Program<Itinerary> route_once(GraphView view, Pattern pattern) {
    return route(view, pattern, Combining::once);
}

Program<Itinerary> route_cumulative(GraphView view, Pattern pattern) {
    return route(view, pattern, Combining::cumulative);
}

}  // namespace

const Rule friends{"friends", "ranks with common targets share the messages to them in pairs", true,
                   nullptr, route_once};

const Rule cumulative{"cumulative", "friends, and what a friend took over is shared again", true,
                      nullptr, route_cumulative};

}  // namespace carpool::routing
