#include "call/contest.hpp"

#include "base/digest.hpp"
#include "choose/past_choices.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

namespace carpool::call {
namespace {

/// Those that may be tried: none whose blocks on their way fill a rank's memory, but the simplest.
std::vector<choose::Chosen> to_measure(const std::vector<choose::Candidate>& candidates) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
    std::vector<choose::Chosen> result;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        auto load = candidates[i].load();
        if (result.empty() || load.temp_bytes <= most_bytes) result.push_back({i, load});
    }
    return result;
}

/// How many candidates are tried at work.
constexpr std::size_t most_at_work = 3;

std::int64_t class_of(std::int64_t number) {
    return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number)));
}

/// Which candidates there are: their numbers mean nothing among others.
std::int64_t digest_of_names(const Family& family,
                             const std::vector<choose::Candidate>& candidates) {
    base::Digest digest;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        for (const char letter : family.summary(i, {}).algorithm + ",") digest.add(letter);
    return static_cast<std::int64_t>(digest.bits());
}

/// That of a call at its site; none where the caller has named no site. Sizes within a factor of
/// two are of one class: of the simplest candidate's messages, blocks and bytes on the busiest
/// rank, which are degree and flow of what the ranks have for each other.
Sites::Key site_of(const Family& family, const std::vector<choose::Candidate>& candidates) {
    auto key = family.site();
    if (key.empty()) return key;
    const auto load = candidates.front().load();
    key.insert(key.end(), {class_of(load.messages()), class_of(load.blocks()),
                           class_of(load.bytes()), digest_of_names(family, candidates)});
    return key;
}

/// In words, as the tuning file has it: what is called, by how many ranks on which nodes, sizes
/// within a factor of two, and among which candidates, at which costs. What is found for numbers
/// that do not round says nothing of others.
std::string problem_of(const Family& family, const choose::Machine& machine, int ranks,
                       const std::vector<choose::Candidate>& candidates) {
    const auto operation = family.operation();
    const auto load = candidates.front().load();
    base::Digest digest;
    digest.add(digest_of_names(family, candidates));
    for (const auto number : machine.numbers()) digest.add(number);
    std::ostringstream text;
    text << operation.wording(0, operation.values[0]).value << ", " << ranks << " ranks";
    if (machine.nodes())
        text << " on " << machine.nodes()->count() << " nodes (" << std::hex
             << machine.nodes()->digest() << std::dec << ')';
    text << ", messages, blocks and bytes below 2^" << class_of(load.messages()) << ", 2^"
         << class_of(load.blocks()) << ", 2^" << class_of(load.bytes())
         << (family.leeway().rounds ? ", rounding" : "") << ", among " << std::hex << digest.bits();
    return text.str();
}

/// May its messages go either way, by what all ranks know?
bool may_turn(const Family& family, const CallContext& context) {
    return family.leeway().ways && context.ticket.state->all_share_memory();
}

/// Is it worth a try to let its messages go the other way?
bool has_other_way(const Family& family, const CallContext& context, const choose::Chosen& chosen) {
    const auto& traffic = chosen.load.at(choose::Level::node);
    return may_turn(family, context) && traffic.messages > 0 &&
           choose::has_two_ways(traffic.bytes / traffic.messages);
}

/// MPI sends each block of a neighborhood by itself, so it need not be tried where that is far
/// behind.
bool host_is_tried(const Family& family, std::span<const choose::Chosen> tried) {
    return !family.host_is_like_the_first() ||
           std::ranges::any_of(tried, [](const auto& one) { return one.number == 0; });
}

/// The candidate that an earlier run has found, if it is one.
std::optional<choose::Chosen> named(const std::string& name, const Family& family,
                                    const std::vector<choose::Candidate>& candidates) {
    const bool ways = family.leeway().ways;
    for (std::size_t number = 0; number < candidates.size(); ++number) {
        const auto algorithm = family.summary(number, {}).algorithm;
        const bool other_way = ways && named_with_way(algorithm, true) == name;
        if (other_way || algorithm == name)
            return choose::Chosen{number, candidates[number].load(), other_way};
    }
    return std::nullopt;
}

/// The candidate's place among those that are tried, where it comes to be if it is not, for the
/// last if there are many.
std::size_t place_of(const choose::Chosen& chosen, std::vector<choose::Chosen>& tried) {
    const auto found = std::ranges::find(tried, chosen.identity(), &choose::Chosen::identity);
    const auto place = static_cast<std::size_t>(found - tried.begin());
    if (place < tried.size()) return place;
    if (tried.size() == most_at_work) tried.pop_back();
    tried.push_back(chosen);
    return tried.size() - 1;
}

/// The one that is reckoned to be the fastest.
Contest model_contest(Family& family, const std::vector<choose::Candidate>& candidates) {
    if (candidates.size() == 1) return {.candidates = {{0, candidates.front().load()}}};
    return {.candidates = {choose::PastChoices::all().remembered(
                family.key(), [&] { return choose::cheapest(family.machine(), candidates); })}};
}

/// Those that are tried: of the algorithms the front runners or, where each run is to take the same
/// steps, only one; and the first also with its messages on their other way.
std::vector<choose::Chosen> rivals_among(Family& family, const CallContext& context,
                                         const std::vector<choose::Candidate>& candidates,
                                         const std::optional<choose::Chosen>& found) {
    std::vector<choose::Chosen> result;
    if (family.leeway().same_steps && found)
        result = {{found->number, found->load}};
    else if (family.leeway().same_steps)
        result = model_contest(family, candidates).candidates;
    else
        result =
            choose::front_runners(family.machine(), candidates, most_at_work, choose::most_wrong);
    if (!has_other_way(family, context, result.front())) return result;
    if (result.size() == most_at_work) result.pop_back();
    result.insert(result.begin() + 1, result.front().turned());
    return result;
}

Contest contest_at_work(Family& family, const CallContext& context, bool host_may,
                        const std::vector<choose::Candidate>& candidates) {
    const auto& state = *context.ticket.state;
    Contest result{.at_work = true,
                   .problem = problem_of(family, family.machine(), state.size(), candidates)};
    const auto* const tuned = state.tuned();
    const auto name = tuned != nullptr ? tuned->choice(result.problem) : std::nullopt;
    const auto found = name ? named(*name, family, candidates) : std::nullopt;
    result.candidates = rivals_among(family, context, candidates, found);
    if (found) result.known = place_of(*found, result.candidates);
    result.host = host_may && (name == engine::host || host_is_tried(family, result.candidates));
    if (result.host && name == engine::host) result.known = result.candidates.size();
    return result;
}

/// Where ranks know different sizes: what is found says nothing of other runs.
choose::Chosen first_among(const std::vector<choose::Candidate>& candidates) {
    return {0, candidates.front().load()};
}

CallTrial::Rivals all_ways(const Family& family, const CallContext& context,
                           const std::vector<choose::Candidate>& candidates) {
    const bool turns = may_turn(family, context);
    CallTrial::Rivals result{
        .candidates = {first_among(candidates)}, .names = {}, .wanted = family.may_gain(turns)};
    auto& ways = result.candidates;
    if (turns) ways.push_back(ways.front().turned());
    for (std::size_t number = 1; number < candidates.size(); ++number)
        ways.push_back({number, candidates[number].load()});
    return result;
}

/// That of calls that end once is opened by all ranks together, where it has several ways.
CallTrial::Rivals rivals_of(Family& family, const CallContext& context,
                            const std::vector<choose::Candidate>& candidates) {
    const bool host_only = family.prefers_host();
    auto all = host_only ? model_contest(family, candidates)
                         : contest_at_work(family, context, family.tries_host_call(), candidates);
    CallTrial::Rivals result{std::move(all.candidates), {}, all.known, std::move(all.problem)};
    for (const auto& [number, load, other_way] : result.candidates)
        result.names.push_back(named_with_way(family.summary(number, load).algorithm, other_way));
    result.host = host_only ? family.tries_host_call() : all.host;
    if (!result.host) return result;
    result.host_fits = family.host_call_fits();
    result.candidates.push_back({host_call, {}});
    result.names.emplace_back(engine::host);
    if (host_only) result.known = result.candidates.size() - 1;
    result.only_known = host_only;
    return result;
}

/// The candidate of calls of which nothing is known yet but what earlier runs have found.
choose::Chosen first_of(Family& family, const CallContext& context,
                        const std::vector<choose::Candidate>& candidates) {
    const auto* const tuned = context.ticket.state->tuned();
    if (tuned == nullptr || tuned->choices.empty())
        return model_contest(family, candidates).candidates.front();
    const auto all = contest_at_work(family, context, false, candidates);
    return all.candidates[all.known.value_or(0)];
}

/// Calls that all ranks know to be alike are tried together. Which candidate this one goes by is
/// known after a comparison.
Contest contest_of_calls(Family& family, const CallContext& context, const CallTrials::Key& key,
                         const std::vector<choose::Candidate>& candidates) {
    const bool all_know = family.all_know_sizes();
    Contest result;
    result.trial = context.trials->of(key, family.prefers_host(), [&] {
        return all_know ? first_of(family, context, candidates) : first_among(candidates);
    });
    auto& trial = *result.trial;
    if (!context.ticket.waits || trial.opened() || !trial.compares(context.turn())) return result;
    if (!context.trials->has_room())
        trial.propose({});
    else
        trial.propose(all_know ? rivals_of(family, context, candidates)
                               : all_ways(family, context, candidates));
    return result;
}

/// Is something to be tried in calls that end once?
bool tries_calls(Family& family, const CallContext& context,
                 const std::vector<choose::Candidate>& candidates) {
    if (!family.all_know_sizes()) return candidates.size() > 1 || may_turn(family, context);
    if (!family.tries_at_work() && !family.prefers_host()) return false;
    if (candidates.size() > 1 && !family.leeway().same_steps) return true;
    return family.tries_host_call() ||
           has_other_way(family, context, first_of(family, context, candidates));
}

Contest chosen_among(const std::vector<choose::Candidate>& candidates, Family& family,
                     const CallContext& context, bool host_may) {
    const auto& ticket = context.ticket;
    const bool at_work = ticket.persistent && family.tries_at_work();
    if (!ticket.persistent)
        if (const auto key = family.shared_key(); !key.empty())
            if (tries_calls(family, context, candidates))
                return contest_of_calls(family, context, key, candidates);
    if (host_may && family.prefers_host()) {
        auto result = model_contest(family, candidates);
        result.host = true;
        result.known = result.candidates.size();
        return result;
    }
    if (candidates.size() == 1 && !(at_work && (host_may || family.leeway().ways)))
        return {.candidates = to_measure(candidates)};
    auto site = context.sites ? site_of(family, candidates) : Sites::Key();
    if (const auto known = context.sites ? context.sites->known(site, ticket.number) : std::nullopt)
        return {.candidates = {{*known, candidates[*known].load()}}};
    if (ticket.together && family.measures())
        return {.candidates = to_measure(candidates), .site = std::move(site)};
    if (at_work) return contest_at_work(family, context, host_may, candidates);
    if (family.leeway().same_steps) return {.candidates = {first_of(family, context, candidates)}};
    return model_contest(family, candidates);
}

}  // namespace

std::string named_with_way(std::string algorithm, bool other_way) {
    return other_way ? std::move(algorithm) + ", messages the other way" : algorithm;
}

Contest contest(Family& family, const CallContext& context, bool host_may) {
    const auto candidates = family.candidates();
    auto result = chosen_among(candidates, family, context, host_may);
    if (context.ledger != nullptr)
        result.size_class = static_cast<int>(class_of(candidates.front().load().bytes()));
    return result;
}

}  // namespace carpool::call
