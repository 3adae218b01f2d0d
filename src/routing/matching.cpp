// SPDX-License-Identifier: MIT
#include "routing/matching.hpp"

#include "topology/bits.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

namespace carpool::routing {
namespace {

/// The state of a rank that searches for a partner.
struct SearchState {
    bool paired;
    bool terminal;  ///< has given up
    bool friendless;
};

/// The states of all ranks: three flags, each set by any rank to which it applies, and where
/// needed two bits per rank: is it paired, has it given up?
class Standings {
public:
    Standings(int rank, int ranks) : rank_(rank), ranks_(ranks) {}

    /// What this rank contributes. @param by_rank  include its own two bits
    Marks of(const SearchState& standing, bool by_rank) const {
        Marks marks{by_rank ? 1 + 2 * half() : 1};
        if (!standing.paired && !standing.terminal) marks.bits.push_back(someone_looks);
        if (standing.paired) marks.bits.push_back(someone_paired);
        if (standing.friendless) marks.bits.push_back(someone_friendless);
        if (by_rank && standing.paired) marks.bits.push_back(paired_bit(rank_));
        if (by_rank && standing.terminal) marks.bits.push_back(terminal_bit(rank_));
        return marks;
    }
    void read(std::shared_ptr<const Board> board) { board_ = std::move(board); }

    /// Is the rank known to be paired or to have given up?
    bool settled(int rank) const {
        return board_ && board_->size() > 1 &&
               (topology::has_bit(*board_, paired_bit(rank)) ||
                topology::has_bit(*board_, terminal_bit(rank)));
    }
    bool all_settled() const { return !says(someone_looks); }
    bool anyone_paired() const { return says(someone_paired); }
    bool anyone_friendless() const { return says(someone_friendless); }

private:
    enum Flag { someone_looks, someone_paired, someone_friendless };  // bits of the first word

    bool says(Flag flag) const { return topology::has_bit(*board_, flag); }
    std::size_t half() const { return topology::words_of_bits(ranks_); }
    int paired_bit(int rank) const { return topology::word_bits + rank; }
    int terminal_bit(int rank) const {
        return topology::word_bits * static_cast<int>(1 + half()) + rank;
    }

    int rank_;
    int ranks_;
    std::shared_ptr<const Board> board_;
};

/// Is one friend of a rank better than another?
class MeritOrder {
public:
    explicit MeritOrder(int rank) : rank_(rank) {}
    bool operator()(const Friend& a, const Friend& b) const { return merit(a) > merit(b); }

private:
    std::int64_t merit(const Friend& other) const {
        return (std::int64_t{other.common} << 32) - (other.rank ^ rank_);
    }
    int rank_;
};

/// A rank that looks for a partner: lines 3 to 22 of [3] algorithm 2.
class Matcher {
public:
    Matcher(int rank, std::vector<Friend> friends) : rank_(rank), friends_(std::move(friends)) {}

    bool has_friends() const { return !friends_.empty(); }

    /// The friend to try in this iteration, or nothing if the rank gives up. Line 14 of the paper
    /// has the condition inverted.
    std::optional<int> choose(const Standings& board, std::span<const SuperstepMessage> choosers) {
        if (choice_ && !board.settled(*choice_) && rank_ < *choice_) return choice_;
        if (const auto admirer = lower_chooser(choosers)) return choice_ = admirer;
        if (choice_) remove(*choice_);
        return choice_ = best_left(board);
    }

private:
    std::optional<int> best_left(const Standings& board) {
        for (; best_ < friends_.size(); ++best_) {
            if (best_ == sorted_) sort_more();
            const int rank = friends_[best_].rank;
            if (!board.settled(rank) && !removed(rank)) return rank;
        }
        return std::nullopt;
    }

    /// Most ranks find a partner among their best friends, so friends are sorted in portions.
    void sort_more() {
        constexpr std::size_t portion = 16;
        const auto begin = friends_.begin() + static_cast<std::ptrdiff_t>(sorted_);
        sorted_ = std::min(sorted_ + portion, friends_.size());
        std::partial_sort(begin, friends_.begin() + static_cast<std::ptrdiff_t>(sorted_),
                          friends_.end(), MeritOrder(rank_));
    }

    void remove(int rank) { removed_.push_back(rank); }
    bool removed(int rank) const {
        return std::find(removed_.begin(), removed_.end(), rank) != removed_.end();
    }

    /// A lower rank that has chosen this one, and will again.
    std::optional<int> lower_chooser(std::span<const SuperstepMessage> choosers) const {
        for (const auto& message : choosers)
            if (message.peer < rank_) return message.peer;
        return std::nullopt;
    }

    int rank_;
    std::vector<Friend> friends_;
    std::size_t sorted_ = 0;  // this many friends are in order, the best first
    std::size_t best_ = 0;    // the friends before it are settled or removed
    std::vector<int> removed_;
    std::optional<int> choice_;
};

bool has_message_from(std::span<const SuperstepMessage> messages, int rank) {
    return std::any_of(messages.begin(), messages.end(),
                       [rank](const SuperstepMessage& message) { return message.peer == rank; });
}

}  // namespace

Program<Match> match(int rank, int ranks, std::vector<Friend> friends, bool by_rank) {
    static const auto nothing = std::make_shared<const Words>();
    Matcher matcher(rank, std::move(friends));
    Standings board(rank, ranks);
    int partner = -1;
    int iterations = 0;
    const bool friendless = !matcher.has_friends();
    bool terminal = friendless;
    SuperstepMessages choices;
    do {
        std::optional<int> choice;
        if (partner < 0 && !terminal) {
            choice = matcher.choose(board, choices.messages);
            terminal = !choice;
        }
        SuperstepMessages mine;
        if (choice) mine.messages.push_back({*choice, nothing});
        choices = co_await superstep(std::move(mine));
        if (choice && has_message_from(choices.messages, *choice)) partner = *choice;
        const SearchState standing{partner >= 0, terminal, friendless};
        SuperstepMessages state{{}, board.of(standing, by_rank)};
        SuperstepMessages states = co_await superstep(std::move(state));
        board.read(std::move(states.board));
        if (!by_rank && !board.all_settled()) {
            by_rank = true;
            SuperstepMessages details{{}, board.of(standing, by_rank)};
            states = co_await superstep(std::move(details));
            board.read(std::move(states.board));
        }
        ++iterations;
    } while (!board.all_settled());
    co_return Match{partner, board.anyone_paired(), board.anyone_friendless(), iterations > 1};
}

}  // namespace carpool::routing
