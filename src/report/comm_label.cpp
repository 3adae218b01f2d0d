// SPDX-License-Identifier: MIT
#include "report/comm_label.hpp"

#include "mpi/attribute.hpp"
#include "mpi/comm/comm_name.hpp"
#include "mpi/comm/topology.hpp"
#include "mpi/error.hpp"
#include "mpi/lives.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace carpool::report {
namespace {

using mpi::check;

int size_of(MPI_Comm comm) {
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
}

bool is_inter(MPI_Comm comm) {
    int inter = 0;
    check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    return inter != 0;
}

/// The ranks of a communicator's processes in MPI_COMM_WORLD.
std::vector<int> ranks_in_world(MPI_Comm comm) {
    std::vector<int> ranks(static_cast<std::size_t>(size_of(comm)));
    std::vector<int> in_world(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &group), "MPI_Comm_group");
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check(MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), world,
                                    in_world.data()),
          "MPI_Group_translate_ranks");
    check(MPI_Group_free(&group), "MPI_Group_free");
    check(MPI_Group_free(&world), "MPI_Group_free");
    return in_world;
}

/// "rank 3", "ranks 0-3", "every 4th rank from 0 to 12", or just how many there are.
std::string in_words(const std::vector<int>& ranks) {
    const auto first = std::to_string(ranks.front()), last = std::to_string(ranks.back());
    if (ranks.size() == 1) return "rank " + first;
    const int step = ranks[1] - ranks[0];
    const bool even = std::ranges::adjacent_find(
                          ranks, [step](int a, int b) { return b - a != step; }) == ranks.end();
    if (even && step == 1) return "ranks " + first + "-" + last;
    if (even && step > 1) return "every " + ordinal(step) + " rank from " + first + " to " + last;
    return std::to_string(ranks.size()) + " ranks";
}

CommLabel labelled_by_ranks(MPI_Comm comm) {
    if (mpi::is_missing(MPI_COMM_WORLD))
        return {"a communicator of a session", "communicators of sessions", size_of(comm)};
    const auto ranks = ranks_in_world(comm);
    const auto of_world = " of MPI_COMM_WORLD";
    const bool all = std::ssize(ranks) == size_of(MPI_COMM_WORLD);
    const auto one = (all ? "all ranks" : in_words(ranks)) + std::string(of_world);
    return {one, "communicators of " + one, static_cast<int>(ranks.size())};
}

CommLabel labelled_by_grid(MPI_Comm comm) {
    const auto text = topology::to_text(mpi::grid_of(comm));
    const auto shape = text.substr(text.find(' '));
    const char* const plural = text.starts_with("torus")  ? "tori"
                               : text.starts_with("mesh") ? "meshes"
                                                          : "grids";
    return {text, plural + shape, size_of(comm)};
}

CommLabel labelled(MPI_Comm comm, const CommOrigin& origin) {
    const auto name = mpi::comm_name(comm);
    if (!name.empty()) return {name, "communicators " + name, size_of(comm)};
    if (is_inter(comm)) return {"an intercommunicator", "intercommunicators", size_of(comm)};
    const int kind = mpi::kind_of_topology(comm);
    if (kind == MPI_CART) return labelled_by_grid(comm);
    if (kind != MPI_UNDEFINED) return {"a graph", "graphs", size_of(comm)};
    if (origin.duplicate_of.empty()) return labelled_by_ranks(comm);
    return {"a duplicate of " + origin.duplicate_of, "duplicates of " + origin.duplicate_of,
            size_of(comm)};
}

std::string made(const CommLabel& label, const CommOrigin& origin) {
    if (!origin.function.empty()) return "made by " + origin.function;
    const bool is_said = origin.duplicate_of.empty() || label.one.ends_with(origin.duplicate_of);
    return is_said ? "" : "a duplicate of " + origin.duplicate_of;
}

}  // namespace

std::shared_ptr<CommOrigin> CommOrigin::on_dup(const std::shared_ptr<CommOrigin>& origin) {
    const auto& [function, duplicate_of, label] = *origin;
    return std::make_shared<CommOrigin>(
        CommOrigin{.duplicate_of = function.empty() ? label : function});
}

CommLabel label_of(MPI_Comm comm) {
    try {
        const auto origin = mpi::Attribute<CommOrigin>::of(comm);
        auto label = labelled(comm, *origin);
        label.made = made(label, *origin);
        origin->label = label.one;
        return label;
    } catch (const mpi::Error&) {
        return {"a communicator", "communicators", 0};
    }
}

}  // namespace carpool::report
