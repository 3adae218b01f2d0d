// SPDX-License-Identifier: MIT
#include "mpi/comm/call_code.hpp"

#include "base/expects.hpp"
#include "mpi/comm/operator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace carpool::mpi {
namespace {

// A number is what << 8 | op << 4 | candidate; `what` counts the operations of neighborhoods, then
// the kinds of ordinary collectives. If there is a root, its rank is added to the op: one number
// shows whether both are the same. These are 15, and a call has no tags for more. But an alltoall
// and an allgather have no op: an alltoall along lists and an update of ghosts have other numbers
// there, and a reduction of ghosts is an allgather with an op.

constexpr int without_op = 0;
constexpr int along_lists = 1;
constexpr int of_ghosts_update = 2;
constexpr int commuting_op = 14;  // a user's operator
constexpr int ordered_op = 15;

/// MPI's operators, whose numbers begin with 1 and are below those of user operators.
std::span<const std::pair<MPI_Op, std::string_view>> named_ops() {
    static const std::array<std::pair<MPI_Op, std::string_view>, 12> ops{
        {{MPI_MAX, "MPI_MAX"},
         {MPI_MIN, "MPI_MIN"},
         {MPI_SUM, "MPI_SUM"},
         {MPI_PROD, "MPI_PROD"},
         {MPI_LAND, "MPI_LAND"},
         {MPI_BAND, "MPI_BAND"},
         {MPI_LOR, "MPI_LOR"},
         {MPI_BOR, "MPI_BOR"},
         {MPI_LXOR, "MPI_LXOR"},
         {MPI_BXOR, "MPI_BXOR"},
         {MPI_MINLOC, "MPI_MINLOC"},
         {MPI_MAXLOC, "MPI_MAXLOC"}}};
    return ops;
}

int number_of(MPI_Op op) {
    if (op == MPI_OP_NULL) return without_op;
    const auto ops = named_ops();
    const auto found =
        std::find_if(ops.begin(), ops.end(), [op](const auto& o) { return o.first == op; });
    if (found != ops.end()) return static_cast<int>(found - ops.begin()) + 1;
    return mpi::commutes(op) ? commuting_op : ordered_op;
}

std::size_t what_of(schedule::Operation operation) {
    return 1 + static_cast<std::size_t>(operation);
}

std::string op_text(int number) {
    if (number == without_op) return "";
    if (number >= commuting_op) return " with an operator of the user's";
    return " with " + std::string(named_ops()[static_cast<std::size_t>(number - 1)].second);
}

CallCode coded(std::size_t what, int op, std::size_t candidate) {
    CARPOOL_EXPECTS(candidate < 16, what, candidate);
    return CallCode(static_cast<int>(what << 8 | candidate) | op % 16 << 4);
}

/// The kind of an ordinary collective; nothing for an operation of neighborhoods.
std::optional<collectives::Kind> kind_of(std::size_t what) {
    const auto operations = schedule::operations().size();
    if (what <= operations) return std::nullopt;
    return collectives::kinds()[what - 1 - operations];
}

bool has_root(std::size_t what) {
    const auto kind = kind_of(what);
    return kind && collectives::has_root(*kind);
}

std::string what_text(std::size_t what) {
    if (const auto kind = kind_of(what)) return std::string(name_of(*kind));
    return "neighbor_" + std::string(name_of(schedule::operations()[what - 1]));
}

std::size_t most_whats() { return schedule::operations().size() + collectives::kinds().size(); }

bool is_along_lists(std::size_t what, int op) {
    return what == what_of(schedule::Operation::alltoall) && op == along_lists;
}

bool is_update_of_ghosts(std::size_t what, int op) {
    return what == what_of(schedule::Operation::alltoall) && op == of_ghosts_update;
}

bool is_reduction_of_ghosts(std::size_t what, int op) {
    return what == what_of(schedule::Operation::allgather) && op != without_op;
}

}  // namespace

CallCode CallCode::of_lists(std::size_t candidate) {
    return coded(what_of(schedule::Operation::alltoall), along_lists, candidate);
}

CallCode CallCode::of_ghosts(MPI_Op op, std::size_t candidate) {
    if (op == MPI_OP_NULL)
        return coded(what_of(schedule::Operation::alltoall), of_ghosts_update, candidate);
    return coded(what_of(schedule::Operation::allgather), number_of(op), candidate);
}

CallCode CallCode::of(schedule::Operation operation, MPI_Op op, std::size_t candidate) {
    return coded(what_of(operation), number_of(op), candidate);
}

CallCode CallCode::of(collectives::Kind kind, MPI_Op op, int root, std::size_t candidate) {
    const int added = collectives::has_root(kind) ? root % 16 : 0;
    return coded(1 + schedule::operations().size() + static_cast<std::size_t>(kind),
                 number_of(op) + added, candidate);
}

std::string CallCode::text() const {
    const auto what = static_cast<std::size_t>(number_ >> 8);
    const int op = number_ >> 4 & 15;
    if (number_ == of_planning) return "the first call of an operation on a neighborhood";
    if (what == 0 || what > most_whats()) return "another call";
    if (is_along_lists(what, op)) return "sparse_alltoallv";
    if (is_update_of_ghosts(what, op)) return "ghosts_update";
    if (is_reduction_of_ghosts(what, op)) return "ghosts_reduce" + op_text(op);
    return what_text(what) + (has_root(what) ? "" : op_text(op));
}

}  // namespace carpool::mpi
