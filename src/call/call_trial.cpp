#include "call/call_trial.hpp"

#include "base/digest.hpp"
#include "call/found_choices.hpp"

#include <algorithm>
#include <cmath>

namespace carpool::call {
namespace {

constexpr auto digest_at = first_behind_standings;
constexpr auto spacing_at = digest_at + 2;
constexpr auto no_host_at = digest_at + 3;
constexpr auto wanted_at = digest_at + 4;

/// Every so many calls one is drawn. So sizes that do not come again are seldom compared.
constexpr std::uint64_t one_of = 8;

bool is_drawn(std::uint64_t digest, std::int64_t number) {
    base::Digest mixed;
    mixed.add(static_cast<std::int64_t>(digest));
    mixed.add(number);
    return mixed.bits() % one_of == 0;
}

}  // namespace

std::int64_t CallTrial::next_draw(std::int64_t number) const {
    while (!at_once_ && !is_drawn(digest_, number)) ++number;
    return number;
}

bool CallTrial::compares(std::int64_t number) {
    if (number < quiet_until_) return false;
    if (!opened()) {
        quiet_until_ = next_draw(number);
        return quiet_until_ == number;
    }
    reach(number);
    return standings_->compares();
}

void CallTrial::propose(Rivals rivals) {
    rivals_ = std::move(rivals);
    if (rivals_.candidates.size() < 2) quiet_until_ = for_ever;
}

/// That ranks mean the same calls, and how these stand; a number that a double holds.
double CallTrial::word() const {
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(digest_));
    digest.add(opened() ? began_ : -1);
    digest.add(static_cast<std::int64_t>(rivals_.candidates.size()));
    return static_cast<double>(digest.bits() >> 12);
}

void CallTrial::write(Comparison& comparison, std::int64_t number) const {
    if (opened()) put_standings(standings_->numbers(), comparison);
    const auto own = comparison.own();
    own[digest_at] = word();
    own[digest_at + 1] = -word();
    own[spacing_at] = static_cast<double>(number - latest_);
    own[no_host_at] = rivals_.host_fits ? 0 : 1;
    own[wanted_at] = rivals_.wanted ? 1 : 0;
}

bool CallTrial::conclude(const Comparison& comparison, std::int64_t number) {
    const auto& most = comparison.result();
    if (most[digest_at] != word() || most[digest_at + 1] != -word()) return false;
    if (!opened()) {
        if (most[no_host_at] > 0) leave_host_out();
        if (most[wanted_at] > 0)
            open(number);
        else
            put_off(number);
        return true;
    }
    using Outcome = choose::Standings::Outcome;
    const auto outcome = standings_->decide(most);
    if (outcome == Outcome::lacks)
        spacing_ = std::max(2 * spacing_, static_cast<std::int64_t>(most[spacing_at]));
    if (outcome == Outcome::settled) {
        take_in_use(number);
        remember();
    }
    began_ = number;
    be_quiet();
    return true;
}

/// Some rank knows that MPI's own cannot do it.
void CallTrial::leave_host_out() {
    if (!rivals_.host) return;
    rivals_.candidates.pop_back();
    rivals_.names.pop_back();
    if (rivals_.known == rivals_.candidates.size()) rivals_.known = 0;
}

/// Nobody has anything to try; later sizes may be others.
void CallTrial::put_off(std::int64_t number) {
    constexpr std::int64_t calls = 1000;
    quiet_until_ = next_draw(number + calls);
}

void CallTrial::open(std::int64_t number) {
    standings_.emplace(rivals_.candidates.size());
    const bool alone = rivals_.candidates.size() == 1;
    if (alone || rivals_.known)
        standings_->begin_with(rivals_.known.value_or(0), !alone && !rivals_.only_known);
    if (rivals_.known) take_in_use(number);
    began_ = number;
    be_quiet();
}

void CallTrial::take_in_use(std::int64_t number) {
    const auto way = standings_->in_use();
    in_use_ = rivals_.candidates[way].identity();
    const std::lock_guard lock(mutex_);
    if (taken_.empty() || taken_.back().second.identity() != in_use_)
        taken_.emplace_back(number, rivals_.candidates[way]);
}

void CallTrial::remember() const {
    if (rivals_.problem.empty()) return;
    if (const auto choices = FoundChoices::wanted())
        choices->add(rivals_.problem, rivals_.names[standings_->in_use()]);
}

void CallTrial::be_quiet() {
    const auto starts = standings_->quiet_starts();
    const bool ends = starts < (for_ever - began_) / spacing_;
    quiet_until_ = ends ? began_ + starts * spacing_ : for_ever;
}

void CallTrial::reach(std::int64_t number) { standings_->reach((number - began_) / spacing_); }

choose::Chosen CallTrial::chosen(std::int64_t number) {
    if (!opened()) return first_;
    reach(number);
    latest_ = number;
    running_ = standings_->next();
    measured_ = standings_->counts() ? number : -1;
    return rivals_.candidates[running_];
}

/// MPI's own collective is none of those that do not wait.
choose::Chosen CallTrial::in_use_at(std::int64_t number) const {
    const std::lock_guard lock(mutex_);
    auto chosen = first_;
    for (const auto& [from, what] : taken_)
        if (from <= number) chosen = what.number == host_call ? first_ : what;
    return chosen;
}

std::uint64_t CallTrials::digest_of(const Key& key) {
    base::Digest digest;
    for (const auto number : key) digest.add(number);
    return digest.bits();
}

void CallTrials::forget_some() {
    constexpr std::size_t many = 512;
    if (trials_.size() < many) return;
    std::erase_if(trials_, [](const auto& trial) { return trial.second.expired(); });
}

}  // namespace carpool::call
