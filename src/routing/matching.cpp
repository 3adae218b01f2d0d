#include "routing/matching.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <tuple>

namespace carpool::routing {
namespace {

/// Two bits per rank: is it paired, has it given up?
class Board {
public:
    explicit Board(int ranks) : ranks_(ranks), words_(2 * half()) {}

    std::vector<std::uint64_t> of(int rank, bool paired, bool terminal) const {
        std::vector<std::uint64_t> words(2 * half());
        if (paired) words[word(rank)] |= bit(rank);
        if (terminal) words[half() + word(rank)] |= bit(rank);
        return words;
    }
    void read(std::vector<std::uint64_t> words) { words_ = std::move(words); }

    bool settled(int rank) const {
        return ((words_[word(rank)] | words_[half() + word(rank)]) & bit(rank)) != 0;
    }
    bool all_settled() const {
        int settled = 0;
        for (std::size_t i = 0; i < half(); ++i)
            settled += std::popcount(words_[i] | words_[half() + i]);
        return settled == ranks_;
    }
    bool anyone_paired() const {
        return std::any_of(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(half()),
                           [](std::uint64_t word) { return word != 0; });
    }

private:
    std::size_t half() const { return (static_cast<std::size_t>(ranks_) + 63) / 64; }
    static std::size_t word(int rank) { return static_cast<std::size_t>(rank) / 64; }
    static std::uint64_t bit(int rank) { return std::uint64_t{1} << (rank % 64); }

    int ranks_;
    std::vector<std::uint64_t> words_;
};

/// Is one friend of a rank worse than another?
struct Worse {
    int rank;
    bool operator()(const Friend& a, const Friend& b) const {
        return std::tuple(a.common, -(a.rank ^ rank)) < std::tuple(b.common, -(b.rank ^ rank));
    }
};

/// A rank that looks for a partner: lines 3 to 22 of [3] algorithm 2.
class Suitor {
public:
    Suitor(int rank, std::vector<Friend> friends) : rank_(rank), friends_(std::move(friends)) {
        std::make_heap(friends_.begin(), friends_.end(), Worse{rank_});
    }

    bool has_friends() const { return !friends_.empty(); }

    /// The friend to try in this iteration, or nothing: then the rank gives up. Line 14 of the
    /// paper has the condition the wrong way round.
    std::optional<int> choose(const Board& board, std::span<const Letter> choosers) {
        if (choice_ && !board.settled(*choice_) && rank_ < *choice_) return choice_;
        if (const auto admirer = lower_admirer(choosers)) return choice_ = admirer;
        if (choice_) remove(*choice_);
        while (!friends_.empty() && (board.settled(best()) || removed(best()))) {
            std::pop_heap(friends_.begin(), friends_.end(), Worse{rank_});
            friends_.pop_back();
        }
        return choice_ = friends_.empty() ? std::nullopt : std::optional(best());
    }

private:
    int best() const { return friends_.front().rank; }
    void remove(int rank) { removed_.push_back(rank); }
    bool removed(int rank) const {
        return std::find(removed_.begin(), removed_.end(), rank) != removed_.end();
    }

    /// A lower rank that has chosen this one, and will again.
    std::optional<int> lower_admirer(std::span<const Letter> choosers) const {
        for (const auto& letter : choosers)
            if (letter.peer < rank_) return letter.peer;
        return std::nullopt;
    }

    int rank_;
    std::vector<Friend> friends_;  // a heap
    std::vector<int> removed_;
    std::optional<int> choice_;
};

bool has_letter_from(std::span<const Letter> letters, int rank) {
    return std::any_of(letters.begin(), letters.end(),
                       [rank](const Letter& letter) { return letter.peer == rank; });
}

}  // namespace

Program<Match> match(int rank, int ranks, std::vector<Friend> friends) {
    static const auto nothing = std::make_shared<const Words>();
    Suitor suitor(rank, std::move(friends));
    Board board(ranks);
    int partner = -1;
    bool terminal = !suitor.has_friends();
    Mail choices;
    do {
        std::optional<int> choice;
        if (partner < 0 && !terminal) {
            choice = suitor.choose(board, choices.letters);
            terminal = !choice;
        }
        Mail mine;
        if (choice) mine.letters.push_back({*choice, nothing});
        choices = co_await superstep(std::move(mine));
        if (choice && has_letter_from(choices.letters, *choice)) partner = *choice;
        Mail state{{}, board.of(rank, partner >= 0, terminal)};
        Mail states = co_await superstep(std::move(state));
        board.read(std::move(states.board));
    } while (!board.all_settled());
    co_return Match{partner, board.anyone_paired()};
}

}  // namespace carpool::routing
