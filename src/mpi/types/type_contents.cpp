// SPDX-License-Identifier: MIT
#include "mpi/types/type_contents.hpp"

#include "mpi/error.hpp"

#include <utility>

namespace carpool::mpi {
namespace {

// Types made by a _c constructor can only be read by MPI 4's _c calls; MPI 3.1 has neither.
#if MPI_VERSION >= 4
using Number = MPI_Count;
constexpr auto get_envelope = MPI_Type_get_envelope_c;
constexpr auto get_contents = MPI_Type_get_contents_c;
#else
using Number = int;

int get_envelope(MPI_Datatype type, Number* integers, Number* addresses, Number* large_counts,
                 Number* types, int* combiner) {
    *large_counts = 0;
    return MPI_Type_get_envelope(type, integers, addresses, types, combiner);
}

int get_contents(MPI_Datatype type, Number most_integers, Number most_addresses, Number,
                 Number most_types, int* integers, MPI_Aint* addresses, MPI_Count*,
                 MPI_Datatype* types) {
    return MPI_Type_get_contents(type, most_integers, most_addresses, most_types, integers,
                                 addresses, types);
}
#endif

struct Envelope {
    Number integers = 0;
    Number addresses = 0;
    Number large_counts = 0;
    Number types = 0;
    int combiner = 0;
};

Envelope envelope_of(MPI_Datatype type) {
    Envelope e;
    check(get_envelope(type, &e.integers, &e.addresses, &e.large_counts, &e.types, &e.combiner),
          "MPI_Type_get_envelope");
    return e;
}

bool has_contents(int combiner) {
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
           combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER;
}

}  // namespace

TypeContents::TypeContents(MPI_Datatype type) {
    const auto envelope = envelope_of(type);
    combiner_ = envelope.combiner;
    if (!has_contents(combiner_)) return;
    std::vector<int> integers(static_cast<std::size_t>(envelope.integers));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses));
    std::vector<MPI_Count> large(static_cast<std::size_t>(envelope.large_counts));
    types_.assign(static_cast<std::size_t>(envelope.types), MPI_DATATYPE_NULL);
    check(get_contents(type, envelope.integers, envelope.addresses, envelope.large_counts,
                       envelope.types, integers.data(), addresses.data(), large.data(),
                       types_.data()),
          "MPI_Type_get_contents");
    if (combiner_ == MPI_COMBINER_SUBARRAY) {
        order_ = integers.back();
        integers.pop_back();
    }
    numbers_.assign(integers.begin(), integers.end());
    // The arguments that a _c constructor takes as counts follow those that are int, in the same
    // order.
    numbers_.insert(numbers_.end(), large.begin(), large.end());
    numbers_.insert(numbers_.end(), addresses.begin(), addresses.end());
}

TypeContents::~TypeContents() {
    for (auto& type : types_)
        if (type != MPI_DATATYPE_NULL && !is_predefined(type)) MPI_Type_free(&type);
}

bool is_predefined(MPI_Datatype type) {
    static thread_local MPI_Datatype latest =
        MPI_DATATYPE_NULL;  // predefined types are not freed, so no other type gets this handle
    if (type == latest && type != MPI_DATATYPE_NULL) return true;
    if (has_contents(envelope_of(type).combiner)) return false;
    latest = type;
    return true;
}

KeptType kept(MPI_Datatype type) {
    Datatype duplicate;
    check(MPI_Type_dup(type, duplicate.out()), "MPI_Type_dup");
#ifdef OPEN_MPI
    // Open MPI's MPI_Type_get_contents returns copies, but the given type is not destroyed before
    // the types that are derived from it, because these refer to it.
    return {std::move(duplicate), type};
#else
    int integer = 0;
    MPI_Aint address = 0;
    MPI_Count large_count = 0;
    Datatype named;  // in MPICH another reference to the type that was given
    check(get_contents(duplicate.get(), 0, 0, 0, 1, &integer, &address, &large_count, named.out()),
          "MPI_Type_get_contents");
    check(MPI_Type_commit(named.out()), "MPI_Type_commit");
    const auto given = named.get();
    return {std::move(named), given};
#endif
}

}  // namespace carpool::mpi
