// SPDX-License-Identifier: MIT
#include "mpi/types/byte_type.hpp"

#include "mpi/error.hpp"
#include "mpi/types/contiguous.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace carpool::mpi {
namespace {

constexpr std::size_t most_typed_runs = 1 << 12;

/// MPI counts repetitions by an int.
constexpr std::int64_t most_repeats = std::numeric_limits<int>::max();

/// Can MPI describe these runs at little cost?
bool is_writable(std::span<const Run> runs) {
    return runs.size() <= most_typed_runs &&
           std::ranges::all_of(runs, [](const Run& run) { return run.repeat <= most_repeats; });
}

Datatype type_of(const Run& run) {
    const auto piece = contiguous(run.length, MPI_BYTE);
    Datatype pieces;
    check(MPI_Type_create_hvector(static_cast<int>(run.repeat), 1, run.stride, piece.get(),
                                  pieces.out()),
          "MPI_Type_create_hvector");
    return pieces;
}

/// One type behind the other, each at its offset.
class Sequence {
public:
    void add(Datatype type, MPI_Aint offset) {
        raw_.push_back(type.get());
        types_.push_back(std::move(type));
        offsets_.push_back(offset);
    }
    std::size_t size() const { return raw_.size(); }

    Datatype taken() {
        const std::vector<int> lengths(raw_.size(), 1);
        Datatype result;
        check(MPI_Type_create_struct(static_cast<int>(raw_.size()), lengths.data(), offsets_.data(),
                                     raw_.data(), result.out()),
              "MPI_Type_create_struct");
        *this = Sequence();
        return result;
    }

private:
    std::vector<Datatype> types_;
    std::vector<MPI_Datatype> raw_;
    std::vector<MPI_Aint> offsets_;
};

Datatype type_of(std::span<const Run> runs) {
    Sequence all;
    for (const auto& run : runs) all.add(type_of(run), run.offset);
    return all.taken();
}

/// The same for any number of runs and of repetitions: a type of types.
Datatype type_in_groups(std::span<const Run> runs) {
    Sequence all;
    Sequence group;
    for (Run rest : runs) {
        while (rest.repeat > 0) {
            auto some = rest;
            some.repeat = std::min(rest.repeat, most_repeats);
            group.add(type_of(some), some.offset);
            rest.offset += some.repeat * rest.stride;
            rest.repeat -= some.repeat;
            if (group.size() == most_typed_runs) all.add(group.taken(), 0);
        }
    }
    all.add(group.taken(), 0);
    return all.taken();
}

}  // namespace

Datatype byte_type(const Shape& shape) {
    const auto runs = shape.runs();
    if (runs && is_writable(*runs)) return type_of(*runs);
    return shape.is_layout_alone() ? type_in_groups(*runs)
                                   : contiguous(shape.count(), shape.type());
}

}  // namespace carpool::mpi
