#include "ordinary/known_to_all.hpp"

#include "arguments/key.hpp"
#include "base/digest.hpp"
#include "collectives/problem.hpp"
#include "mpi/operator.hpp"

#include <limits>
#include <vector>

namespace carpool::ordinary {
namespace {

using arguments::Side;
using collectives::Kind;

bool pairs_know(const CollectiveArguments& arguments) {
    const auto kind = arguments.kind;
    return arguments.count_per_rank() &&
           (kind == Kind::gather || kind == Kind::scatter || kind == Kind::alltoall);
}

/// The side whose count and type show, on this rank, how long blocks are.
const Side& telling_side(const CollectiveArguments& arguments, bool is_root) {
    const auto& [kind, send, recv, root, op, overlap] = arguments;
    if (kind == Kind::scatter) return is_root ? send : recv;
    if (kind == Kind::gather) return is_root ? recv : send;
    const bool receives = kind == Kind::allgather || kind == Kind::alltoall;
    return receives || (collectives::reduces(kind) && in_place(send)) ? recv : send;
}

std::optional<std::int64_t> size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    const bool known = type != MPI_DATATYPE_NULL && MPI_Type_size_x(type, &size) == MPI_SUCCESS &&
                       size != MPI_UNDEFINED;
    return known ? std::optional<std::int64_t>(size) : std::nullopt;
}

/// The bytes of a block; nothing if no block can have this count and type. The type of no elements
/// is not looked at.
std::optional<std::int64_t> bytes_of(std::int64_t count, MPI_Datatype type) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (count == 0) return 0;
    const auto element = size_of(type);
    if (count < 0 || !element || (*element > 0 && count > most / *element)) return std::nullopt;
    return count * *element;
}

/// The mean size of a side's blocks.
std::optional<std::int64_t> block_of(const Side& side, int ranks) {
    if (!side.varying_counts()) return bytes_of(side.count(0), side.type(0));
    if (side.counts.array() == nullptr) return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < ranks; ++i) {
        const auto bytes = bytes_of(side.count(i), side.type(0));
        if (!bytes) return std::nullopt;
        sizes.push_back(*bytes);
    }
    return collectives::mean_block(sizes);
}

std::int64_t unit_of(Kind kind, std::int64_t block, MPI_Datatype type) {
    if (kind == Kind::bcast) return collectives::unit_of_bcast(block);
    return collectives::reduces(kind) ? size_of(type).value_or(1) : 1;
}

std::int64_t rounded(const KnownToAll& known) {
    if (known.block == KnownToAll::known_to_pairs) return known.block;
    return collectives::round_block(known.block, known.unit);
}

}  // namespace

std::uint64_t KnownToAll::digest() const {
    base::Digest digest;
    digest.add(static_cast<std::int64_t>(kind) << 32 | root);
    digest.add(arguments::number_of(op));
    digest.add(count_per_rank ? 1 : 0);
    digest.add(rounded(*this));
    digest.add(unit);
    digest.add(sums ? 1 : 0);
    return digest.bits();
}

std::optional<KnownToAll> known_to_all(const CollectiveArguments& arguments, int rank, int ranks) {
    const auto& [kind, send, recv, root, op, overlap] = arguments;
    if (collectives::reduces(kind) && op == MPI_OP_NULL) return std::nullopt;
    if (collectives::has_root(kind) && (root < 0 || root >= ranks)) return std::nullopt;
    KnownToAll known{
        .kind = kind, .count_per_rank = arguments.count_per_rank(), .op = op, .root = root};
    if (kind == Kind::barrier) return known;
    if (pairs_know(arguments)) {
        known.block = KnownToAll::known_to_pairs;
        return known;
    }
    const auto& side = telling_side(arguments, rank == root);
    const auto block = block_of(side, ranks);
    if (!block) return std::nullopt;
    known.block = *block;
    known.unit = unit_of(kind, *block, side.type(0));
    known.sums = collectives::reduces(kind) && !mpi::is_exact(op, side.type(0));
    return known;
}

}  // namespace carpool::ordinary
