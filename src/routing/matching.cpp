#include "routing/matching.hpp"

#include "topology/bits.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace carpool::routing {
namespace {

/// Two bits per rank: is it paired, has it given up?
class Board {
public:
    explicit Board(int ranks) : ranks_(ranks), words_(2 * half()) {}

    /// What a rank says of itself, in place of what it has read.
    std::vector<std::uint64_t> of(int rank, bool paired, bool terminal) {
        auto words = std::move(words_);
        std::fill(words.begin(), words.end(), 0);
        if (paired) topology::set_bit(words, rank);
        if (terminal) topology::set_bit(std::span(words).subspan(half()), rank);
        return words;
    }
    void read(std::vector<std::uint64_t> words) { words_ = std::move(words); }

    bool settled(int rank) const {
        return topology::has_bit(paired(), rank) || topology::has_bit(terminal(), rank);
    }
    bool all_settled() const {
        for (std::size_t word = 0; word < half(); ++word)
            if ((paired()[word] | terminal()[word]) != topology::full_word(word, ranks_))
                return false;
        return true;
    }
    bool anyone_paired() const {
        const auto words = paired();
        return std::any_of(words.begin(), words.end(),
                           [](std::uint64_t word) { return word != 0; });
    }

private:
    std::size_t half() const { return topology::words_of_bits(ranks_); }
    std::span<const std::uint64_t> paired() const { return std::span(words_).first(half()); }
    std::span<const std::uint64_t> terminal() const { return std::span(words_).subspan(half()); }

    int ranks_;
    std::vector<std::uint64_t> words_;
};

/// Is one friend of a rank better than another?
class Better {
public:
    explicit Better(int rank) : rank_(rank) {}
    bool operator()(const Friend& a, const Friend& b) const { return merit(a) > merit(b); }

private:
    std::int64_t merit(const Friend& other) const {
        return (std::int64_t{other.common} << 32) - (other.rank ^ rank_);
    }
    int rank_;
};

/// A rank that looks for a partner: lines 3 to 22 of [3] algorithm 2.
class Suitor {
public:
    Suitor(int rank, std::vector<Friend> friends) : rank_(rank), friends_(std::move(friends)) {}

    bool has_friends() const { return !friends_.empty(); }

    /// The friend to try in this iteration, or nothing: then the rank gives up. Line 14 of the
    /// paper has the condition the wrong way round.
    std::optional<int> choose(const Board& board, std::span<const Letter> choosers) {
        if (choice_ && !board.settled(*choice_) && rank_ < *choice_) return choice_;
        if (const auto admirer = lower_admirer(choosers)) return choice_ = admirer;
        if (choice_) remove(*choice_);
        return choice_ = best_left(board);
    }

private:
    std::optional<int> best_left(const Board& board) {
        for (; best_ < friends_.size(); ++best_) {
            if (best_ == sorted_) sort_more();
            const int rank = friends_[best_].rank;
            if (!board.settled(rank) && !removed(rank)) return rank;
        }
        return std::nullopt;
    }

    /// Most ranks find a partner among their best friends, so only these are sorted.
    void sort_more() {
        constexpr std::size_t portion = 16;
        const auto begin = friends_.begin() + static_cast<std::ptrdiff_t>(sorted_);
        sorted_ = std::min(sorted_ + portion, friends_.size());
        std::partial_sort(begin, friends_.begin() + static_cast<std::ptrdiff_t>(sorted_),
                          friends_.end(), Better(rank_));
    }

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
    std::vector<Friend> friends_;
    std::size_t sorted_ = 0;  // that many friends are the best, the best of all first
    std::size_t best_ = 0;    // those before it are not to be had
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
