#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::choose {

/// Whose turn it is among several ways that are tried at work: a glance at each, a look at those
/// that are not hopeless, a race of those that are near the fastest, then long the one that is in
/// use; and all of it again, ever more rarely.
///
///     A B C D | compare | AA BB CC | compare | AAAAA CCCCC | compare | C C C … (1000) | A B C D …
///
/// So what takes many times as long is left before it has cost much. Turns of a way follow each
/// other, and but for a glance the first does not count: it bears what the way before it has left,
/// ranks that are late and others that are ahead.
class TrialTurns {
public:
    /// Of each way in each stage. The first one makes it warm; a median of several shrugs off what
    /// disturbs.
    static constexpr std::int64_t glances = 1;
    static constexpr std::int64_t looks = 2;
    static constexpr std::int64_t races = 5;

    /// Where one race has decided nothing there are others, of two ways.
    static constexpr int most_races = 3;

    /// Starts of a trial of so many ways, at most.
    static constexpr std::int64_t most_starts(std::int64_t ways) {
        return ways * (glances + looks + races) + (most_races - 1) * 2 * races;
    }

    /// What takes so many times as long as the fastest is left after a glance, when it may have
    /// been cold, and after a look.
    static constexpr double hopeless = 8;
    static constexpr double far = 3;

    static constexpr std::int64_t first_rest = 1000;
    static constexpr std::int64_t longest_rest = 1 << 20;
    static constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();

    explicit TrialTurns(std::size_t ways) : ways_(ways) { begin(Stage::glance, all()); }

    /// Nothing is tried before so many starts have ended.
    void rest(std::int64_t starts) {
        rest_ = starts;
        begin(Stage::rest, {});
    }

    /// In the next start. @param in_use  after a trial
    std::size_t next(std::size_t in_use) const {
        if (stage_ == Stage::rest) return in_use;
        return field_[static_cast<std::size_t>(starts_ / turns())];
    }

    /// Are there times to compare before the next start?
    bool compares() const { return stage_ != Stage::rest && starts_ >= length(); }

    /// Is another trial to begin?
    bool rested() const { return stage_ == Stage::rest && starts_ >= rest_; }

    /// How many starts nothing is tried; 0 in a trial.
    std::int64_t quiet_starts() const { return stage_ == Stage::rest ? rest_ : 0; }

    /// Is it one of the ways whose turns these are?
    bool is_tried(std::size_t way) const { return std::ranges::count(field_, way) > 0; }

    /// Times without which a way cannot be compared.
    std::size_t least_times() const { return stage_ == Stage::race ? 2 : 1; }

    /// How many times as long as the fastest ways may take to stay; none where the trial ends.
    std::optional<double> tolerance() const {
        if (stage_ == Stage::glance) return hopeless;
        if (stage_ == Stage::look) return far;
        return std::nullopt;
    }

    /// Is this stage a first glance?
    bool may_be_cold() const { return stage_ == Stage::glance; }

    /// Does the time of the next start count?
    bool counts() const {
        return stage_ == Stage::glance || (stage_ != Stage::rest && starts_ % turns() > 0);
    }

    /// Times have been compared. @param left  the ways that stay in the trial, unless it ends
    void compared(std::vector<std::size_t> left) {
        if (tolerance() && left.size() > 1)
            return begin(stage_ == Stage::glance ? Stage::look : Stage::race, std::move(left));
        begin(Stage::rest, {});
    }

    /// The times of a race have decided nothing: some race on. @pre a race has ended
    void race_on(std::vector<std::size_t> left) { begin(Stage::race, std::move(left)); }

    /// A start has ended; true if the next one begins another trial.
    bool pass() {
        ++starts_;
        if (!rested()) return false;
        begin_again();
        return true;
    }

    /// Instead of pass(), where starts that are others' count too: so many of this stage have been.
    void reach(std::int64_t starts) { starts_ = starts; }

    /// The same stage from its beginning.
    void repeat() { starts_ = 0; }

    /// Another trial. @pre rested
    void begin_again() {
        if (rest_ < longest_rest) rest_ *= 2;
        begin(Stage::glance, all());
    }

private:
    enum class Stage { glance, look, race, rest };

    void begin(Stage stage, std::vector<std::size_t> field) {
        stage_ = stage;
        field_ = std::move(field);
        starts_ = 0;
    }

    std::vector<std::size_t> all() const {
        std::vector<std::size_t> result(ways_);
        std::iota(result.begin(), result.end(), std::size_t{0});
        return result;
    }

    /// Of each way in this stage. @pre it is no rest
    std::int64_t turns() const {
        constexpr std::int64_t turns[] = {glances, looks, races};
        return turns[static_cast<std::size_t>(stage_)];
    }

    std::int64_t length() const { return turns() * static_cast<std::int64_t>(field_.size()); }

    std::size_t ways_;
    Stage stage_ = Stage::glance;
    std::vector<std::size_t> field_;  ///< whose turns they are
    std::int64_t starts_ = 0;         ///< of this stage
    std::int64_t rest_ = first_rest;
};

}  // namespace carpool::choose
