#include "choose/usual_costs.hpp"

#include "base/json.hpp"

#include <cctype>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

namespace carpool::choose {
namespace {

using base::Json;

// Seconds per message, per byte and per phase. Those by MPI and through memory are fitted to
// bench/'s figures for the two MPI wheels (docs/measurements.md, docs/collectives.md,
// docs/memory.md); those between nodes are rough, after TCP between hosts of one machine. Machines
// differ: carpool_alpha, _beta and _sigma, or a tuning file, say how. MPICH takes five times as
// long for a message of a neighborhood as Open MPI, so it gains more from combining.
constexpr UsualCosts neighborhoods_on_mpich{
    {12.5e-6, 3e-9, 10e-6}, {0.5e-6, 0.5e-9, 5e-6}, {20e-6, 2e-9, 15e-6}};
constexpr UsualCosts neighborhoods_on_open_mpi{
    {2.3e-6, 2.5e-9, 30e-6}, {0.5e-6, 0.5e-9, 5e-6}, {20e-6, 2e-9, 15e-6}};

// Their strategies are fitted to messages by MPI.
constexpr UsualCosts exchanges_on_mpich{neighborhoods_on_mpich.by_mpi,
                                        neighborhoods_on_mpich.by_mpi,
                                        neighborhoods_on_mpich.between_nodes};
constexpr UsualCosts exchanges_on_open_mpi{neighborhoods_on_open_mpi.by_mpi,
                                           neighborhoods_on_open_mpi.by_mpi,
                                           neighborhoods_on_open_mpi.between_nodes};

// The same per message and byte that pass a core; only their ratios choose.
constexpr UsualCosts collectives_on_mpich{
    {4e-6, 1.2e-10, 12e-6}, {0.4e-6, 7e-11, 6e-6}, {12e-6, 1e-9, 30e-6}};
constexpr UsualCosts collectives_on_open_mpi{
    {2.3e-6, 3e-10, 46e-6}, {0.4e-6, 7e-11, 6e-6}, {12e-6, 1e-9, 30e-6}};

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

TunedCosts::Levels levels_in(const Json& machine, std::string_view work) {
    const auto* const levels = machine.find(work);
    if (levels == nullptr) return {};
    if (!levels->is_object())
        throw std::invalid_argument(std::string(work) + ", expected an object");
    return {model_in(*levels, "by_mpi"), model_in(*levels, "through_memory"),
            model_in(*levels, "between_nodes")};
}

bool is_of(const Json& machine, std::string_view mpi) {
    const auto* const name = machine.find("mpi");
    if (name == nullptr || name->string() == nullptr) return false;
    return *name->string() == mpi || name->string()->starts_with(std::string(mpi) + ' ');
}

}  // namespace

const UsualCosts& usual_costs(Work work, bool open_mpi) {
    switch (work) {
        case Work::collectives:
            return open_mpi ? collectives_on_open_mpi : collectives_on_mpich;
        case Work::exchanges:
            return open_mpi ? exchanges_on_open_mpi : exchanges_on_mpich;
        case Work::neighborhoods:
            break;
    }
    return open_mpi ? neighborhoods_on_open_mpi : neighborhoods_on_mpich;
}

UsualCosts TunedCosts::Levels::over(const UsualCosts& usual) const {
    return {by_mpi.value_or(usual.by_mpi), through_memory.value_or(usual.through_memory),
            between_nodes.value_or(usual.between_nodes)};
}

TunedCosts tuned_costs(std::string_view text, std::string_view mpi) {
    const auto file = Json::read(text);
    const auto* const says = file.find("carpool_tuning");
    if (says == nullptr || says->number() == nullptr || *says->number() != version)
        throw std::invalid_argument("expected \"carpool_tuning\": 1, its version, at the top");
    const auto* const machines = file.find("machines");
    if (machines == nullptr || machines->elements() == nullptr)
        throw std::invalid_argument("expected a list \"machines\"");
    TunedCosts result;
    for (const auto& machine : *machines->elements()) {
        if (!machine.is_object())
            throw std::invalid_argument("machines, expected an object for each");
        if (is_of(machine, mpi))
            result = {{levels_in(machine, "neighborhoods"), levels_in(machine, "exchanges"),
                       levels_in(machine, "collectives")}};
    }
    return result;
}

/// MPICH says "MPICH Version:      5.0.2" on its first line, Open MPI "Open MPI v5.0.11, package:
/// …", others what they like: words up to a comma or the line's end, without what only says
/// "version".
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
