// SPDX-License-Identifier: MIT
#include "arguments/tuning.hpp"

#include "mpi/library.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace carpool::arguments {
namespace {

engine::Packing packing_named(const Setting& setting) {
    const auto& name = setting.text;
    if (name == "pack") return engine::Packing::pack;
    if (name == "types") return engine::Packing::types;
    if (name != "auto") refuse(setting, "pack, types or auto");
    return engine::Packing::automatic;
}

PostingMode posting_named(const Setting& setting) {
    const auto& name = setting.text;
    if (name == "persistent") return PostingMode::persistent;
    if (name == "immediate") return PostingMode::immediate;
    if (name != "auto") refuse(setting, "persistent, immediate or auto");
    return PostingMode::automatic;
}

engine::TransportChoice transport_named(const Setting& setting) {
    const auto& name = setting.text;
    if (name == "mpi") return engine::TransportChoice::mpi;
    if (name == "shared") return engine::TransportChoice::shared;
    if (name != "auto") refuse(setting, "mpi, shared or auto");
    return engine::TransportChoice::automatic;
}

constexpr std::string_view choices[] = {"model", "auto", "measure", "host"};

ChoicePolicy choice_named(const Setting& setting) {
    const auto* const found = std::ranges::find(choices, setting.text);
    if (found == std::end(choices)) refuse(setting, "model, auto, measure or host");
    return static_cast<ChoicePolicy>(found - std::begin(choices));
}

std::string text_of_choice(std::int64_t choice) {
    return std::string(choices[static_cast<std::size_t>(choice)]);
}

Check check_named(const Setting& setting) {
    if (setting.text == "all") return Check::all;
    if (setting.text != "local") refuse(setting, "local or all");
    return Check::local;
}

std::string text_of_transport(std::int64_t transport) {
    switch (static_cast<engine::TransportChoice>(transport)) {
        case engine::TransportChoice::automatic:
            return "auto";
        case engine::TransportChoice::mpi:
            return "mpi";
        case engine::TransportChoice::shared:
            return "shared";
        case engine::TransportChoice::other:
            break;
    }
    return std::to_string(transport);
}

/// Whether a persistent request starts persistent requests of the host MPI.
///
/// Measured (docs/measurements): with these, starts of combined messages are up to 5 % faster than
/// with MPI_Isend and MPI_Irecv, and starts of many independent messages up to 50 % slower.
bool posts_persistent(PostingMode posting, std::int64_t phases) {
    return posting == PostingMode::automatic ? phases > 1 : posting == PostingMode::persistent;
}

}  // namespace

Tuning Tuning::of_this_mpi(choose::MessageUse work) {
    return {work, choose::usual_costs(work, mpi::is_open_mpi()).by_mpi};
}

void Tuning::take(const Lookup& lookup) {
    take_costs(lookup);
    if (const auto v = lookup("carpool_transfer")) packing = packing_named(*v);
    if (const auto v = lookup("carpool_requests")) posting = posting_named(*v);
    if (const auto v = lookup("carpool_transport")) transport = transport_named(*v);
    if (const auto v = lookup("carpool_shared_memory")) positive(*v, "a number of bytes");
    if (const auto v = lookup("carpool_choice")) choice = choice_named(*v);
    if (const auto v = lookup("carpool_check")) check = check_named(*v);
}

void Tuning::take_costs(const Lookup& lookup) {
    const auto take = [&](const char* key, double& cost) {
        const auto setting = lookup(key);
        if (!setting) return;
        cost = seconds(*setting);
        costs_given = true;
    };
    take("carpool_alpha", model.alpha);
    take("carpool_beta", model.beta);
    take("carpool_sigma", model.sigma);
    if (const auto v = lookup("carpool_ports"))
        model.ports = positive(*v, "a number of messages under way at once");
    within_node = model;
}

std::vector<ClaimedSetting> Tuning::claimed_costs(const char* where) const {
    return {claimed_cost("carpool_alpha", where, model.alpha),
            claimed_cost("carpool_beta", where, model.beta),
            claimed_cost("carpool_sigma", where, model.sigma),
            {"carpool_ports", where, model.ports}};
}

ClaimedSetting Tuning::claimed_transport() const {
    return {"carpool_transport", in_either, static_cast<std::int64_t>(transport),
            text_of_transport};
}

ClaimedSetting Tuning::claimed_check() const {
    return {"carpool_check", in_either, static_cast<std::int64_t>(check)};
}

ClaimedSetting Tuning::claimed_choice() const {
    return {"carpool_choice", in_either, static_cast<std::int64_t>(choice_policy()),
            text_of_choice};
}

engine::Manner Tuning::manner(const engine::Summary& summary, std::optional<int> tag) const {
    return {packing, engine::Watch::any, transport,
            posts_persistent(posting, summary.phases) ? tag : std::nullopt};
}

void Tuning::apply(const mpi::CommState& state) {
    nodes = state.nodes();
    const auto* const tuned = state.tuned();
    if (tuned != nullptr) {
        copy_per_byte = tuned->costs.copy_per_byte.value_or(copy_per_byte);
        sum_per_byte = tuned->costs.sum_per_byte.value_or(sum_per_byte);
    }
    if (costs_given) return;
    const auto ports = model.ports;
    auto usual = choose::usual_costs(work, mpi::is_open_mpi());
    if (tuned != nullptr) usual = tuned->costs.of(work).over(usual);
    const bool through_memory =
        state.all_share_memory() && transport != engine::TransportChoice::mpi;
    within_node = through_memory ? usual.through_memory : usual.by_mpi;
    model = nodes ? usual.between_nodes : within_node;
    within_node.ports = model.ports = ports;
}

void Tuning::apply_shared_cores(double ranks_per_core) {
    if (costs_given) return;
    within_node = choose::oversubscribed(within_node, ranks_per_core);
    model = choose::oversubscribed(model, ranks_per_core);
}

void Tuning::apply_core_sharing(double ranks_per_core) {
    if (!costs_given) within_node = choose::sharing_cores(within_node, ranks_per_core);
    if (!costs_given && !nodes) model = within_node;
}

}  // namespace carpool::arguments
