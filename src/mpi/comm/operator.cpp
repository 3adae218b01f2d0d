// SPDX-License-Identifier: MIT
#include "mpi/comm/operator.hpp"

#include "mpi/comm/channel.hpp"
#include "mpi/error.hpp"
#include "mpi/types/element.hpp"
#include "mpi/types/type_contents.hpp"
#include "mpi/types/type_name.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace carpool::mpi {
namespace {

bool is_one_of(MPI_Op op, std::initializer_list<MPI_Op> ops) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

struct NamedOp {
    MPI_Op op;
    const char* name;
};

/// MPI's operators that reduce. Their handles need not be constants.
std::span<const NamedOp> built_in() {
    static const NamedOp ops[] = {
        {MPI_MAX, "MPI_MAX"},   {MPI_MIN, "MPI_MIN"},       {MPI_SUM, "MPI_SUM"},
        {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
        {MPI_LOR, "MPI_LOR"},   {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
        {MPI_BXOR, "MPI_BXOR"}, {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"}};
    return ops;
}

// The numbers of operators that are not built in.
constexpr std::int64_t no_op = -1;
constexpr std::int64_t users_commuting = -2;
constexpr std::int64_t users_in_order = -3;

std::optional<std::int64_t> built_in_number(MPI_Op op) {
    const auto ops = built_in();
    const auto found =
        std::find_if(ops.begin(), ops.end(), [op](const NamedOp& named) { return named.op == op; });
    return found == ops.end() ? std::nullopt : std::optional(found - ops.begin());
}

bool is_built_in(MPI_Op op) { return built_in_number(op).has_value(); }

/// The same on all ranks, unlike handles, which may differ.
std::int64_t number_of(MPI_Op op, bool commutes) {
    if (op == MPI_OP_NULL) return no_op;
    return built_in_number(op).value_or(commutes ? users_commuting : users_in_order);
}

Wording wording(std::size_t, std::int64_t value) {
    if (value >= 0) return {"op", built_in()[static_cast<std::size_t>(value)].name};
    if (value == no_op) return {"op", "none"};
    return {"op", value == users_commuting ? "a user's operator that commutes"
                                           : "a user's operator that does not commute"};
}

/// MPI has no query for this, but it refuses even an empty reduction of this process with itself.
bool reduces(MPI_Op op, MPI_Datatype type) {
    const auto alone = Channel::alone();
    int nothing = 0;
    int result = 0;
    return MPI_Allreduce(&nothing, &result, 0, type, op, alone->comm()) == MPI_SUCCESS;
}

/// Asks MPI once about each predefined type.
bool known_to_reduce(MPI_Op op, MPI_Datatype type) {
    static std::mutex mutex;  // also guards the communicator that all threads share
    static std::map<std::pair<MPI_Op, MPI_Datatype>, bool> known;
    const std::lock_guard lock(mutex);
    if (const auto found = known.find({op, type}); found != known.end()) return found->second;
    const bool accepted = reduces(op, type);
    if (is_predefined(type)) known.emplace(std::pair(op, type), accepted);
    return accepted;
}

/// MPI-4.1 section 6.9.2. A user's operator accepts whatever type the user passes.
bool accepted(MPI_Op op, MPI_Datatype type) {
    if (!is_built_in(op)) return true;
    // Open MPI would add bytes, too.
    if (type == MPI_BYTE) return is_one_of(op, {MPI_BAND, MPI_BOR, MPI_BXOR});
    return known_to_reduce(op, type);
}

bool is_unsigned(MPI_Datatype type) {
    const auto types = {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,     MPI_UNSIGNED,
                        MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T,
                        MPI_UINT16_T,      MPI_UINT32_T,           MPI_UINT64_T};
    return std::ranges::find(types, type) != types.end();
}

/// What numbers a datatype holds, whatever the language that names it; the values of a claim.
enum class Numbers : std::int64_t {
    integers,
    without_sign,
    floating,
    complex,
    logical,
    others,
};

Numbers numbers_in(MPI_Datatype type) {
    if (type == MPI_BYTE || !is_predefined(type)) return Numbers::others;
    const bool adds = known_to_reduce(MPI_SUM, type);
    if (adds && known_to_reduce(MPI_BAND, type))
        return is_unsigned(type) ? Numbers::without_sign : Numbers::integers;
    if (adds) return known_to_reduce(MPI_MAX, type) ? Numbers::floating : Numbers::complex;
    return known_to_reduce(MPI_LAND, type) ? Numbers::logical : Numbers::others;
}

std::string text_of(Numbers numbers) {
    switch (numbers) {
        case Numbers::integers:
            return "one of signed integers";
        case Numbers::without_sign:
            return "one of unsigned integers";
        case Numbers::floating:
            return "one of floating-point numbers";
        case Numbers::complex:
            return "one of complex numbers";
        case Numbers::logical:
            return "one of logical values";
        default:
            return "MPI_BYTE, a pair or a derived datatype";
    }
}

Wording wording_of_element(std::size_t i, std::int64_t value) {
    if (i == 0) return {"size in bytes of an element", std::to_string(value)};
    return {"datatype", text_of(static_cast<Numbers>(value))};
}

/// Throws MPI_ERR_OP unless op can reduce blocks of that type.
void check_op(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_OP_NULL) throw Error(MPI_ERR_OP, "op is MPI_OP_NULL, expected an operator");
    if (op == MPI_REPLACE || op == MPI_NO_OP)
        throw Error(MPI_ERR_OP, std::string("op is ") +
                                    (op == MPI_REPLACE ? "MPI_REPLACE" : "MPI_NO_OP") +
                                    ", which is for one-sided communication only, expected an "
                                    "operator that reduces");
    if (!accepted(op, type))
        throw Error(MPI_ERR_OP, "op does not reduce datatype " + type_name(type) +
                                    ", expected an operator that is defined for it");
}

/// Does a reduction give the same bits in whatever order it is done? It does for integers with one
/// of MPI's own operators. A type that can be combined bit by bit is an integer.
bool is_exact(MPI_Op op, MPI_Datatype type) {
    return is_built_in(op) && !is_one_of(op, {MPI_MINLOC, MPI_MAXLOC}) && is_predefined(type) &&
           (type == MPI_BYTE || known_to_reduce(MPI_BAND, type));
}

}  // namespace

Claim claim_of(MPI_Op op, bool commutes) { return {"op", {number_of(op, commutes)}, {}, wording}; }

Claim claim_of_element(MPI_Datatype type) {
    return {"size in bytes or kind of an element",
            {element_size(type), static_cast<std::int64_t>(numbers_in(type))},
            {},
            wording_of_element};
}

bool is_users(MPI_Op op) {
    return op != MPI_OP_NULL && op != MPI_REPLACE && op != MPI_NO_OP && !is_built_in(op);
}

bool commutes(MPI_Op op) {
    int flag = 0;
    check(MPI_Op_commutative(op, &flag), "MPI_Op_commutative");
    return flag != 0;
}

void CheckedOperator::become(MPI_Op op, MPI_Datatype type) {
    if (op_ != MPI_OP_NULL && op_ == op && type_ == type) return;
    op_ = MPI_OP_NULL;
    check_op(op, type);
    commutes = mpi::commutes(op);
    rounds = !is_exact(op, type);
    element_size = mpi::element_size(type);
    if (is_users(op) || !is_predefined(type)) return;
    op_ = op;
    type_ = type;
}

}  // namespace carpool::mpi
