// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/ghost_call.hpp"

#include "arguments/array.hpp"
#include "arguments/shared_memory.hpp"
#include "arguments/side.hpp"
#include "mpi/comm/operator.hpp"
#include "mpi/error.hpp"
#include "mpi/types/extent.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

using mpi::Error;

std::byte* address_of(const void* array) {
    return const_cast<std::byte*>(static_cast<const std::byte*>(array));
}

/// Reads the arrays of one field after the other.
class FieldReader {
public:
    FieldReader(const GhostArguments& arguments, std::int64_t owned, std::int64_t ghosts)
        : arguments_(arguments), owned_(owned), ghosts_(ghosts) {}

    GhostField read(int f) const {
        const auto* const owned = arguments_.owned_values[f];
        const auto* const ghosts = arguments_.ghost_values[f];
        GhostField field{owned, ghosts, first_entry("owned_values", f, owned, owned_),
                         first_entry("ghost_values", f, ghosts, ghosts_), 0};
        const auto& shape = field.owned.shape;
        check_size(f, shape);
        field.stride = shape.count() * mpi::extent_of(shape.type());
        check_length(f, shape, field.stride);
        return field;
    }

private:
    std::string name(const char* of_one, const char* of_several, int f) const {
        return arguments_.listed ? mpi::element(of_several, f) : of_one;
    }

    /// An array without entries may be a null pointer.
    mpi::Block first_entry(const char* array, int f, const void* values,
                           std::int64_t entries) const {
        static std::byte nothing;
        const auto buffer = name(array, array, f);
        const auto count = name("count", "counts", f);
        const auto type = name("type", "types", f);
        if (values == MPI_IN_PLACE)
            throw Error(MPI_ERR_BUFFER, buffer + " is MPI_IN_PLACE, expected an array");
        const arguments::Side side{.names = {buffer.c_str(), count.c_str(), "", type.c_str()},
                                   .buffer = entries > 0 ? address_of(values) : &nothing,
                                   .counts = {arguments_.counts[f]},
                                   .one_type = arguments_.types[f]};
        mpi::Block block;
        arguments::BlockReader reader(side);
        reader.read(0, block);
        reader.note_device({&block, 1});
        return block;
    }

    void check_size(int f, const mpi::Shape& shape) const {
        if (shape.count() > 0 && shape.bytes() == 0)
            throw Error(MPI_ERR_TYPE, name("type", "types", f) +
                                          " has no bytes, expected a datatype with a size");
    }

    /// Offsets in an array must fit into 64 bits.
    void check_length(int f, const mpi::Shape& shape, std::int64_t stride) const {
        constexpr double most = 4e18;
        const auto entries = std::max(owned_, ghosts_);
        if (static_cast<double>(entries) * static_cast<double>(std::abs(stride)) < most) return;
        throw Error(MPI_ERR_COUNT, name("count", "counts", f) + " is " +
                                       std::to_string(shape.count()) + " for each of " +
                                       std::to_string(entries) +
                                       " entries, expected arrays that fit into memory");
    }

    const GhostArguments& arguments_;
    std::int64_t owned_;
    std::int64_t ghosts_;
};

void check_lists(const GhostArguments& given) {
    mpi::check_at_least("fields", given.fields, 0, MPI_ERR_ARG);
    arguments::check_array("owned_values", given.owned_values, given.fields);
    arguments::check_array("ghost_values", given.ghost_values, given.fields);
    arguments::check_array("counts", given.counts, given.fields);
    arguments::check_array("types", given.types, given.fields);
}

/// The whole array of a field.
mpi::Block whole(const mpi::Block& first, std::int64_t entries) {
    return {first.address, first.shape.with_count(first.shape.count() * entries)};
}

/// Throws if two fields write the same memory.
void check_targets(const char* name, std::span<const mpi::Block> targets) {
    for (std::size_t f = 1; f < targets.size(); ++f)
        for (std::size_t before = 0; before < f; ++before) {
            const auto one = mpi::element(name, static_cast<std::int64_t>(before));
            const auto other = mpi::element(name, static_cast<std::int64_t>(f));
            arguments::check_disjoint({.names = {.buffer = one.c_str()}},
                                      targets.subspan(before, 1),
                                      {.names = {.buffer = other.c_str()}}, targets.subspan(f, 1),
                                      arguments::many_pieces);
        }
}

/// No array of owned values may overlap one of ghosts.
void check_disjoint(const CheckedGhostCall& call, std::int64_t owned, std::int64_t ghosts) {
    std::vector<mpi::Block> of_owners;
    std::vector<mpi::Block> of_ghosts;
    for (const auto& field : call.fields) {
        of_owners.push_back(whole(field.owned, owned));
        of_ghosts.push_back(whole(field.ghosts, ghosts));
    }
    const arguments::Side owners{.names = {.buffer = "owned_values"}};
    const arguments::Side others{.names = {.buffer = "ghost_values"}};
    if (call.reduces)
        arguments::check_disjoint(others, of_ghosts, owners, of_owners, arguments::many_pieces);
    else
        arguments::check_disjoint(owners, of_owners, others, of_ghosts, arguments::many_pieces);
    if (call.reduces)
        check_targets(owners.names.buffer, of_owners);
    else
        check_targets(others.names.buffer, of_ghosts);
}

void read_op(CheckedGhostCall& call, const GhostArguments& arguments) {
    call.op = arguments.op;
    for (int f = 0; f < arguments.fields; ++f) {
        mpi::CheckedOperator checked;
        checked.become(arguments.op, arguments.types[f]);
        call.commutes = checked.commutes;
        call.rounds = call.rounds || checked.rounds;
    }
}

/// Whether an array that was on a device, or on the host, still is. Memory of the host is not
/// looked at again.
bool is_where_it_was(const mpi::Block& first) {
    return first.device == nullptr || device::Device::of(first.address) == first.device;
}

}  // namespace

bool CheckedGhostCall::has_form(const GhostArguments& arguments) const {
    if (reduces != arguments.reduces || op != arguments.op ||
        std::ssize(fields) != arguments.fields)
        return false;
    for (int f = 0; f < arguments.fields; ++f)
        if (!fields[static_cast<std::size_t>(f)].has_type(arguments, f)) return false;
    return !mpi::is_users(op) || mpi::commutes(op) == commutes;
}

bool CheckedGhostCall::has(const GhostArguments& arguments) const {
    if (!has_form(arguments)) return false;
    for (int f = 0; f < arguments.fields; ++f)
        if (!fields[static_cast<std::size_t>(f)].has_arrays(arguments, f)) return false;
    return std::ranges::all_of(fields, [](const auto& field) {
        return is_where_it_was(field.owned) && is_where_it_was(field.ghosts);
    });
}

bool CheckedGhostCall::is_on_device() const {
    return std::ranges::any_of(fields, [](const auto& field) {
        return field.owned.device != nullptr || field.ghosts.device != nullptr;
    });
}

std::int64_t CheckedGhostCall::bytes_per_entry() const {
    std::int64_t sum = 0;
    for (const auto& field : fields) sum += field.owned.shape.bytes();
    return sum;
}

CheckedGhostCall read_ghost_call(const GhostArguments& arguments, std::int64_t owned,
                                 std::int64_t ghosts) {
    check_lists(arguments);
    CheckedGhostCall call{arguments.reduces};
    const FieldReader reader(arguments, owned, ghosts);
    for (int f = 0; f < arguments.fields; ++f) call.fields.push_back(reader.read(f));
    if (arguments.reduces) read_op(call, arguments);
    check_disjoint(call, owned, ghosts);
    return call;
}

}  // namespace carpool::neighbor
