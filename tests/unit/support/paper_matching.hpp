// SPDX-License-Identifier: MIT
#pragma once

#include "routing/matching.hpp"
#include "routing/program.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

/// [3] algorithm 2 as it is printed, with messages to every friend. We interpret it as follows:
///
/// - line 14 says F != {} where it must say F = {};
/// - among friends with equally many common neighbors, the maximum is the one with the least `rank
///   ^ friend`;
/// - a friend that was tried in vain (line 13) still gets messages, and may still be accepted in
///   line 11: otherwise it would never find out that this rank is paired, and would try it forever;
/// - ranks that are done wait, on a board of one word, until all are.
class PaperMatching {
public:
    PaperMatching(int rank, const std::vector<carpool::routing::Friend>& friends) : rank_(rank) {
        for (const auto& [other, common] : friends) {
            merit_[other] = {common, -(rank ^ other)};
            told_.insert(other);
            untried_.insert(other);
        }
        terminal_ = told_.empty();
    }

    bool done() const { return paired_ || terminal_; }
    int partner() const { return paired_ ? choice_ : -1; }

    /// Lines 3 to 23.
    carpool::routing::SuperstepMessages choose() {
        if (done()) return {};
        if (choice_ < 0)
            choice_ = best();
        else if (!(told_.contains(choice_) && rank_ < choice_))
            choose_another();
        return to_all({choice_});
    }

    /// Lines 24 to 27.
    carpool::routing::SuperstepMessages read_choices(
        const carpool::routing::SuperstepMessages& choices) {
        if (announced_) return {{}, {1}};
        admirers_.clear();
        for (const auto& message : choices.messages)
            if (message.words->front() == rank_) admirers_.insert(message.peer);
        paired_ = !terminal_ && admirers_.contains(choice_);
        auto mail = to_all({done() ? 1 : 0});
        mail.marks.words = 1;
        if (!done()) mail.marks.bits = {0};
        announced_ = done();
        return mail;
    }

    /// Line 28.
    void read_states(const carpool::routing::SuperstepMessages& states) {
        for (const auto& message : states.messages)
            if (message.words->front() == 1) told_.erase(message.peer);
    }

private:
    void choose_another() {
        const auto admirer = std::find_if(admirers_.begin(), admirers_.end(), [this](int other) {
            return other < rank_ && told_.contains(other);
        });
        if (admirer != admirers_.end()) {
            choice_ = *admirer;
            return;
        }
        untried_.erase(choice_);
        choice_ = best();
        terminal_ = choice_ < 0;
    }

    int best() const {
        int best = -1;
        for (const int other : untried_)
            if (told_.contains(other) && (best < 0 || merit_.at(best) < merit_.at(other)))
                best = other;
        return best;
    }

    carpool::routing::SuperstepMessages to_all(carpool::routing::Words words) const {
        const auto said = std::make_shared<const carpool::routing::Words>(std::move(words));
        carpool::routing::SuperstepMessages mail;
        for (const int other : told_) mail.messages.push_back({other, said});
        return mail;
    }

    int rank_;
    int choice_ = -1;
    bool paired_ = false;
    bool terminal_ = false;
    bool announced_ = false;
    std::map<int, std::pair<int, int>> merit_;  // of the friends
    std::set<int> told_;                        // neither paired nor terminal
    std::set<int> untried_;
    std::set<int> admirers_;
};

inline carpool::routing::Program<carpool::routing::Match> match_as_printed(
    int rank, std::vector<carpool::routing::Friend> friends) {
    using namespace carpool::routing;
    PaperMatching matching(rank, friends);
    bool someone_looks = true;
    while (someone_looks) {
        SuperstepMessages mine = matching.choose();
        const SuperstepMessages choices = co_await superstep(std::move(mine));
        mine = matching.read_choices(choices);
        const SuperstepMessages states = co_await superstep(std::move(mine));
        matching.read_states(states);
        someone_looks = states.board->front() != 0;
    }
    co_return Match{matching.partner(), matching.partner() >= 0};
}
