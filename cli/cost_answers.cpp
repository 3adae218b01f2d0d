// SPDX-License-Identifier: MIT
#include "cost_answers.hpp"

#include "choose/tuning_text.hpp"
#include "choose/usual_costs.hpp"
#include "fields.hpp"

#include <stdexcept>
#include <string>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

json::object described(const choose::UsualCosts& costs) {
    return {{"by_mpi", to_json(costs.by_mpi)},
            {"through_memory", to_json(costs.through_memory)},
            {"between_nodes", to_json(costs.between_nodes)}};
}

/// The levels of which the file says the costs.
json::array names_of(const choose::TunedCosts::Levels& levels) {
    json::array names;
    if (levels.by_mpi) names.emplace_back("by_mpi");
    if (levels.through_memory) names.emplace_back("through_memory");
    if (levels.between_nodes) names.emplace_back("between_nodes");
    return names;
}

json::array described(const choose::Choices& choices) {
    json::array result;
    for (const auto& [problem, taken] : choices)
        result.push_back(json::object{{"problem", problem}, {"taken", taken}});
    return result;
}

bool is_open_mpi(const std::string& mpi) {
    if (mpi == "openmpi" || mpi == "mpich") return mpi == "openmpi";
    throw std::invalid_argument("mpi '" + mpi + "', expected mpich or openmpi");
}

json::object described(const choose::CutOffs& cut_offs) {
    json::object result;
    for (const auto& [name, member] : choose::named_cut_offs) result[name] = cut_offs.*member;
    return result;
}

}  // namespace

json::object costs(const json::object& question) {
    const bool open_mpi = is_open_mpi(text(question, "mpi"));
    choose::MachineTuning tuned;
    if (!question.at("tuning").is_null())
        tuned = choose::tuned_in(text(question, "tuning"), open_mpi ? "Open MPI" : "MPICH");
    const auto of = [&](choose::MessageUse work) {
        const auto& measured = tuned.costs.of(work);
        auto result = described(measured.over(choose::usual_costs(work, open_mpi)));
        result["measured"] = names_of(measured);
        return result;
    };
    return {{"neighborhoods", of(choose::MessageUse::neighborhoods)},
            {"collectives", of(choose::MessageUse::collectives)},
            {"blocks",
             {{"copy_per_byte", tuned.costs.copy_per_byte.value_or(choose::usual_copy_per_end)},
              {"sum_per_byte", tuned.costs.sum_per_byte.value_or(choose::Costs{}.sum_per_byte)}}},
            // as where each rank has a core
            {"cut_offs", described(tuned.cut_offs.over(choose::usual_cut_offs(open_mpi, false)))},
            {"choices", described(tuned.choices)}};
}

}  // namespace cli
