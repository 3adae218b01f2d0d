// SPDX-License-Identifier: MIT
#include "choose/tuning_text.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace carpool::choose {
namespace {

using base::Json;

constexpr double version = 1;

double cost_in(const Json& costs, std::string_view name) {
    const auto* const found = costs.find(name);
    const auto* const number = found != nullptr ? found->number() : nullptr;
    if (number == nullptr || !std::isfinite(*number) || *number < 0)
        throw std::invalid_argument(std::string(name) + ", expected seconds, 0 or more");
    return *number;
}

std::optional<CostModel> model_in(const Json& levels, std::string_view level) {
    const auto* const costs = levels.find(level);
    if (costs == nullptr) return std::nullopt;
    try {
        return CostModel{cost_in(*costs, "alpha"), cost_in(*costs, "beta"),
                         cost_in(*costs, "sigma")};
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(std::string(level) + ": " + error.what());
    }
}

/// What copies and sums cost, if the machine has that.
void add_blocks(TunedCosts& costs, const Json& machine) {
    const auto* const blocks = machine.find("blocks");
    if (blocks == nullptr) return;
    try {
        costs.copy_per_byte = cost_in(*blocks, "copy_per_byte");
        costs.sum_per_byte = cost_in(*blocks, "sum_per_byte");
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(std::string("blocks: ") + error.what());
    }
}

TunedCosts::Levels levels_in(const Json& machine, std::string_view work) {
    const auto* const levels = machine.find(work);
    if (levels == nullptr) return {};
    if (!levels->is_object())
        throw std::invalid_argument(std::string(work) + ", expected an object");
    return {model_in(*levels, "by_mpi"), model_in(*levels, "through_memory"),
            model_in(*levels, "between_nodes")};
}

/// A longer length is a mistake; lengths up to this can be added and multiplied without overflow.
constexpr std::int64_t most_bytes = std::int64_t{1} << 40;

std::int64_t length_in(const Json& value, std::string_view name) {
    const auto* const bytes = value.number();
    if (bytes == nullptr || !(*bytes >= 0 && *bytes <= most_bytes) || *bytes != std::floor(*bytes))
        throw std::invalid_argument("cut_offs: " + std::string(name) +
                                    ", expected whole bytes, 0 to 2^40");
    return static_cast<std::int64_t>(*bytes);
}

TunedCutOffs cut_offs_in(const Json& machine) {
    TunedCutOffs result;
    const auto* const lengths = machine.find("cut_offs");
    if (lengths == nullptr) return result;
    if (!lengths->is_object()) throw std::invalid_argument("cut_offs, expected an object");
    for (std::size_t i = 0; i < std::size(named_cut_offs); ++i)
        if (const auto* const length = lengths->find(named_cut_offs[i].name))
            result.found[i] = length_in(*length, named_cut_offs[i].name);
    return result;
}

bool is_of(const Json& machine, std::string_view mpi) {
    const auto& name = *machine.find("mpi")->string();
    return name == mpi || name.starts_with(std::string(mpi) + ' ');
}

Choices choices_in(const Json& machine) {
    const auto* const list = machine.find("choices");
    if (list == nullptr) return {};
    if (list->elements() == nullptr) throw std::invalid_argument("choices, expected a list");
    Choices result;
    for (const auto& choice : *list->elements()) {
        const auto* const problem = choice.find("problem");
        const auto* const taken = choice.find("taken");
        if (problem == nullptr || problem->string() == nullptr || taken == nullptr ||
            taken->string() == nullptr)
            throw std::invalid_argument("choices, expected \"problem\" and \"taken\" of each");
        result[*problem->string()] = *taken->string();
    }
    return result;
}

void check_machine(const Json& machine) {
    const auto* const mpi = machine.is_object() ? machine.find("mpi") : nullptr;
    if (mpi == nullptr || mpi->string() == nullptr)
        throw std::invalid_argument("machines, expected an object with a text \"mpi\" for each");
}

/// Parses a tuning file; throws if the text is not one.
Json checked(std::string_view text) {
    auto file = Json::read(text);
    const auto* const says = file.find("carpool_tuning");
    if (says == nullptr || says->number() == nullptr || *says->number() != version)
        throw std::invalid_argument("expected \"carpool_tuning\": 1, its version, at the top");
    const auto* const machines = file.find("machines");
    if (machines == nullptr || machines->elements() == nullptr)
        throw std::invalid_argument("expected a list \"machines\"");
    std::ranges::for_each(*machines->elements(), check_machine);
    return file;
}

/// The last machine with that MPI; a new one if there is none.
Json& machine_of(Json& file, const std::string& mpi) {
    const auto machines = file.member("machines").items();
    for (auto machine = machines.rbegin(); machine != machines.rend(); ++machine)
        if (is_of(*machine, mpi)) return *machine;
    auto& added = file.member("machines").append();
    added.member("mpi") = mpi;
    return added;
}

/// The candidate taken for a problem; a new entry if there is none.
Json& taken_for(Json& machine, const std::string& problem) {
    auto& choices = machine.member("choices");
    const auto items = choices.items();
    for (auto choice = items.rbegin(); choice != items.rend(); ++choice)  // the last one counts
        if (*choice->find("problem")->string() == problem) return choice->member("taken");
    auto& added = choices.append();
    added.member("problem") = problem;
    return added.member("taken");
}

}  // namespace

MachineTuning tuned_in(std::string_view text, std::string_view mpi) {
    const auto file = checked(text);
    MachineTuning result;
    for (const auto& machine : *file.find("machines")->elements()) {
        if (!is_of(machine, mpi)) continue;
        result = {{{levels_in(machine, "neighborhoods"), levels_in(machine, "exchanges"),
                    levels_in(machine, "collectives")}},
                  cut_offs_in(machine),
                  choices_in(machine)};
        add_blocks(result.costs, machine);
    }
    return result;
}

std::string with_choices(std::string_view text, const std::string& mpi, const Choices& choices) {
    tuned_in(text, mpi);
    auto file = checked(text);
    auto& machine = machine_of(file, mpi);
    for (const auto& [problem, taken] : choices) taken_for(machine, problem) = taken;
    return file.text();
}

std::string no_tuning() { return R"({"carpool_tuning": 1, "machines": []})"; }

/// MPICH gives "MPICH Version:      5.0.2" on its first line, Open MPI "Open MPI v5.0.11, package:
/// …", others what they like. The name is the words up to a comma or the line's end, without
/// "Version".
std::string name_of_mpi(std::string_view library_version) {
    std::istringstream words(
        std::string(library_version.substr(0, library_version.find_first_of(",\n"))));
    std::string name;
    for (std::string word; words >> word;) {
        if (word == "Version:" || word == "Version") continue;
        const bool versioned = word.size() > 1 && word[0] == 'v' &&
                               std::isdigit(static_cast<unsigned char>(word[1])) != 0;
        name += (name.empty() ? "" : " ") + word.substr(versioned ? 1 : 0);
    }
    return name;
}

}  // namespace carpool::choose
