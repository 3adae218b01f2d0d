// SPDX-License-Identifier: MIT
#include "call/selection.hpp"

#include "base/digest.hpp"
#include "base/expects.hpp"
#include "choose/cut_offs.hpp"
#include "choose/past_choices.hpp"
#include "engine/preparation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace carpool::call {
namespace {

/// A call, and its candidates.
struct Question {
    Family& family;
    const CallContext& context;
    CandidateSet what;

    const std::vector<choose::Candidate>& candidates() const { return what.candidates; }
    const mpi::CommState& state() const { return *context.ticket.state; }

    choose::Contender candidate(std::size_t number) const {
        return {number, candidates()[number].load()};
    }
};

std::int64_t class_of(std::int64_t number) {
    return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, number)));
}

/// A digest of the candidates and the costs of the machine.
std::uint64_t digest_of_contenders(const Question& question, const choose::Machine& machine) {
    base::Digest digest;
    for (std::size_t i = 0; i < question.candidates().size(); ++i)
        for (const char letter : question.family.summary(i, {}).algorithm + ",") digest.add(letter);
    for (const auto number : machine.numbers()) digest.add(number);
    return digest.bits();
}

/// The problem in words, as in the tuning file: the operation, the number of ranks and their nodes,
/// sizes within a factor of two, and a digest of the candidates. Sums that round are another
/// problem than sums that do not.
std::string problem_of(const Question& question) {
    const auto& operation = question.what.operation;
    const auto& machine = question.what.machine;
    const auto load = question.candidates().front().load();
    std::ostringstream text;
    text << operation.wording(0, operation.values[0]).value << ", " << question.state().size()
         << " ranks";
    if (machine.nodes())
        text << " on " << machine.nodes()->count() << " nodes (" << std::hex
             << machine.nodes()->digest() << std::dec << ')';
    text << ", messages, blocks and bytes below 2^" << class_of(load.messages()) << ", 2^"
         << class_of(load.blocks()) << ", 2^" << class_of(load.bytes())
         << (question.what.rounds ? ", rounding" : "") << ", among " << std::hex
         << digest_of_contenders(question, machine);
    return text.str();
}

bool may_swap_transport(const Question& question) {
    return question.what.either_transport && question.state().all_share_memory();
}

/// Whether it is worth measuring the candidate with the other transport.
bool has_swapped_transport(const Question& question, const choose::Contender& chosen) {
    const auto& traffic = chosen.load.at(choose::Level::node);
    return may_swap_transport(question) && traffic.messages > 0 &&
           choose::may_take_either_transport(traffic.bytes / traffic.messages);
}

/// Which of a problem's candidates are compared.
enum class Subset { cheapest, likely, all_by_cost };

/// PastChoices::remembered(), by the problem's key and by that subset.
std::vector<choose::Contender> remembered(
    const Question& question, Subset subset,
    const std::function<std::vector<choose::Contender>()>& choose) {
    auto key = question.what.key;
    if (!key.empty()) key.push_back(static_cast<std::int64_t>(subset));
    return choose::PastChoices::all().remembered(key, choose);
}

choose::Contender cheapest(const Question& question) {
    const auto& candidates = question.candidates();
    if (candidates.size() == 1) return question.candidate(0);
    const auto chosen = remembered(question, Subset::cheapest, [&] {
        return std::vector{choose::cheapest(question.what.machine, candidates)};
    });
    return chosen.front();
}

/// The candidate of that name, if there is one.
std::optional<choose::Contender> named(const std::string& name, const Question& question) {
    for (std::size_t number = 0; number < question.candidates().size(); ++number) {
        const auto algorithm = question.family.summary(number, {}).algorithm;
        const bool swapped_transport = name_with_transport(algorithm, true) == name;
        if (algorithm != name && !(swapped_transport && question.what.either_transport)) continue;
        const auto chosen = question.candidate(number);
        return swapped_transport ? chosen.with_other_transport() : chosen;
    }
    return std::nullopt;
}

/// The selection by the tuning file, which is the same on all ranks; none if the file has no
/// choice.
/// @param host_may  as in select()
std::optional<Selection> tuned(const Question& question, bool host_may) {
    const auto* const file = question.state().tuned();
    const bool may_say =
        question.what.policy == arguments::ChoicePolicy::automatic && question.what.all_know_sizes;
    if (!may_say || file == nullptr || file->choices.empty()) return std::nullopt;
    const auto name = file->choice(problem_of(question));
    if (!name) return std::nullopt;
    if (name == engine::host && host_may)
        return Selection{.contenders = {cheapest(question)}, .at_host = true};
    const auto found = named(*name, question);
    return found ? std::optional(Selection{.contenders = {*found}}) : std::nullopt;
}

/// The candidates of least cost, as far as costs may be wrong, and the one of the fewest phases,
/// which is the likeliest to be missed if costs are very wrong.
std::vector<choose::Contender> likely(std::vector<choose::Contender> by_cost,
                                      const choose::Machine& machine) {
    constexpr std::ptrdiff_t few = 3;
    const auto fewest = std::ranges::min_element(
        by_cost, {}, [](const choose::Contender& one) { return one.load.phases; });
    const double most = choose::most_wrong * choose::estimate(machine, by_cost.front().load);
    const auto behind =
        std::find_if(by_cost.begin(), by_cost.begin() + std::min(few, std::ssize(by_cost)),
                     [&](const auto& one) { return choose::estimate(machine, one.load) > most; });
    std::vector<choose::Contender> result(by_cost.begin(), behind);
    if (fewest >= behind) result.push_back(*fewest);
    return result;
}

constexpr std::int64_t most_temp_bytes = std::int64_t{1} << 30;

/// The candidates by ascending cost, without those (but the first) whose forwarded blocks would
/// fill a rank's memory.
std::vector<choose::Contender> by_cost(const Question& question) {
    const auto& machine = question.what.machine;
    const auto& candidates = question.candidates();
    const bool all = question.what.policy == arguments::ChoicePolicy::measure;
    return remembered(question, all ? Subset::all_by_cost : Subset::likely, [&] {
        auto result = choose::front_runners(machine, candidates, candidates.size(),
                                            std::numeric_limits<double>::infinity());
        result.erase(
            std::remove_if(result.begin() + 1, result.end(),
                           [](const auto& one) { return one.load.temp_bytes > most_temp_bytes; }),
            result.end());
        return all ? result : likely(std::move(result), machine);
    });
}

bool is_fixed(const Question& question) {
    return question.what.rounds && question.what.policy == arguments::ChoicePolicy::automatic;
}

/// Whether blocks are too long for a measurement that the user has not asked for.
bool is_long(const Question& question, const choose::Contender& chosen) {
    constexpr std::int64_t long_blocks = std::int64_t{1} << 24;
    return question.what.policy != arguments::ChoicePolicy::measure &&
           chosen.load.bytes() > long_blocks;
}

/// Adds the first contender with its transport swapped.
std::vector<choose::Contender> in_any_transport(const Question& question,
                                                std::vector<choose::Contender> contenders) {
    if (has_swapped_transport(question, contenders.front()))
        contenders.insert(contenders.begin() + 1, contenders.front().with_other_transport());
    return contenders;
}

/// The candidates that are worth measuring.
std::vector<choose::Contender> contenders(const Question& question) {
    std::vector<choose::Contender> result;
    if (is_fixed(question) || question.candidates().size() == 1)
        result = {cheapest(question)};
    else
        result = by_cost(question);
    if (is_long(question, result.front())) return {result.front()};
    return in_any_transport(question, std::move(result));
}

bool measures(const Question& question) {
    return question.what.policy == arguments::ChoicePolicy::automatic ||
           question.what.policy == arguments::ChoicePolicy::measure;
}

Selection of_request(const Question& question, bool host_may) {
    if (question.what.policy == arguments::ChoicePolicy::host && host_may)
        return {.contenders = {cheapest(question)}, .at_host = true};
    if (auto found = tuned(question, host_may)) return std::move(*found);
    if (!question.context.ticket.together || !measures(question))
        return {.contenders = {cheapest(question)}};
    Selection result{.contenders = contenders(question), .host_contends = host_may};
    if (is_long(question, result.contenders.front())) result.host_contends = false;
    if (result.contenders.size() > 1 || result.host_contends) result.problem = problem_of(question);
    return result;
}

/// The selection of a blocking or nonblocking call, for which ranks do not wait.
Selection of_call(const Question& question) {
    CARPOOL_EXPECTS(question.what.all_know_sizes || question.candidates().size() == 1,
                    question.candidates().size());
    if (auto found = tuned(question, false)) return std::move(*found);
    return {.contenders = {cheapest(question)}};
}

}  // namespace

std::string name_with_transport(std::string algorithm, bool swapped_transport) {
    return swapped_transport ? std::move(algorithm) + ", transport swapped" : algorithm;
}

Selection select(Family& family, const CallContext& context, bool host_may) {
    const Question question{family, context, family.candidate_set()};
    auto result = context.ticket.persistent ? of_request(question, host_may) : of_call(question);
    result.operation = question.what.operation;
    result.runs_ahead = question.what.runs_ahead;
    result.function = question.what.function;
    result.reported = question.what.reported;
    result.machine = question.what.machine;
    result.held = question.what.held;
    if (context.profile != nullptr)
        result.bytes = question.what.bytes ? *question.what.bytes
                                           : question.candidates().front().load().bytes();
    return result;
}

}  // namespace carpool::call
