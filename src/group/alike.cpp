#include "group/alike.hpp"

#include "base/digest.hpp"
#include "collectives/problem.hpp"
#include "group/in_place.hpp"
#include "host/host_call.hpp"
#include "mpi/call_code.hpp"
#include "mpi/operator.hpp"

#include <vector>

namespace carpool::group {
namespace {

using arguments::Side;
using collectives::Kind;

/// Do only pairs of ranks know the sizes of blocks?
bool pairs_know(const Arguments& arguments) {
    const bool varies = arguments.send.varying_counts() || arguments.recv.varying_counts();
    const auto kind = arguments.kind;
    return varies && (kind == Kind::gather || kind == Kind::scatter || kind == Kind::alltoall);
}

/// The side whose count and type say how long blocks are, on this rank.
const Side& telling_side(const Arguments& arguments, bool is_root) {
    const auto& [kind, send, recv, root, op] = arguments;
    if (kind == Kind::scatter) return is_root ? send : recv;
    if (kind == Kind::gather) return is_root ? recv : send;
    const bool receives = kind == Kind::allgather || kind == Kind::alltoall;
    return receives || (collectives::reduces(kind) && in_place(send)) ? recv : send;
}

std::optional<std::int64_t> size_of(MPI_Datatype type) {
    int size = 0;
    const bool known = type != MPI_DATATYPE_NULL && MPI_Type_size(type, &size) == MPI_SUCCESS &&
                       size != MPI_UNDEFINED;
    return known ? std::optional<std::int64_t>(size) : std::nullopt;
}

/// In bytes; none if there is a count that no block has.
std::optional<std::int64_t> block_of(const Side& side, int ranks, std::int64_t element) {
    if (!side.varying_counts()) {
        const auto count = side.count(0);
        return count >= 0 ? std::optional(count * element) : std::nullopt;
    }
    if (side.counts.array() == nullptr) return std::nullopt;
    std::vector<std::int64_t> bytes;
    for (int i = 0; i < ranks; ++i) {
        if (side.count(i) < 0) return std::nullopt;
        bytes.push_back(side.count(i) * element);
    }
    return collectives::mean_block(bytes);
}

/// A broadcast is cut where pieces stay aligned.
std::int64_t unit_of(Kind kind, std::int64_t block, std::int64_t element) {
    constexpr std::int64_t word = 8;
    if (kind == Kind::bcast) return block % word == 0 ? word : 1;
    return collectives::reduces(kind) ? element : 1;
}

}  // namespace

std::uint64_t KnownToAll::digest() const {
    base::Digest digest;
    constexpr int any_root = 0;
    digest.add(mpi::CallCode::of(kind, op, any_root, 0).number());
    digest.add(block == known_to_pairs ? block : collectives::round_block(block, unit));
    digest.add(unit);
    digest.add(sums ? 1 : 0);
    return digest.bits();
}

std::optional<KnownToAll> known_to_all(const Arguments& arguments, int rank, int ranks) {
    const auto& [kind, send, recv, root, op] = arguments;
    if (kind == Kind::barrier) return std::nullopt;
    if (collectives::reduces(kind) && op == MPI_OP_NULL) return std::nullopt;
    if (collectives::has_root(kind) && (root < 0 || root >= ranks)) return std::nullopt;
    KnownToAll known{.kind = kind, .op = op};
    if (pairs_know(arguments)) {
        known.block = KnownToAll::known_to_pairs;
        return known;
    }
    const auto& side = telling_side(arguments, rank == root);
    if (in_place(side) || side.buffer == nullptr) return std::nullopt;
    const auto element = size_of(side.type(0));
    const auto block = element ? block_of(side, ranks, *element) : std::nullopt;
    if (!block) return std::nullopt;
    known.block = *block;
    known.unit = unit_of(kind, *block, *element);
    known.sums = collectives::reduces(kind) && !mpi::is_exact(op, side.type(0));
    return known;
}

bool may_be_at_host(const KnownToAll& known) {
    const bool fits = known.block > 0 && host::is_narrow(known.block);
    return known.kind != Kind::barrier && !known.sums &&
           (fits || known.block == KnownToAll::known_to_pairs);
}

bool has_narrow_arrays(const Arguments& arguments) {
    const auto is_narrow = [](const arguments::Numbers& numbers) {
        return !numbers.varies() || numbers.ints() != nullptr || numbers.array() == nullptr;
    };
    const auto& [kind, send, recv, root, op] = arguments;
    return is_narrow(send.counts) && is_narrow(send.displacements) && is_narrow(recv.counts) &&
           is_narrow(recv.displacements);
}

}  // namespace carpool::group
