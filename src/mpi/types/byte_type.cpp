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

/// Can MPI describe these runs? It counts repetitions by an int.
bool is_writable(std::span<const Run> runs) {
    return runs.size() <= most_typed_runs && std::ranges::all_of(runs, [](const Run& run) {
               return run.repeat <= std::numeric_limits<int>::max();
           });
}

Datatype type_of(const Run& run) {
    const auto piece = contiguous(run.length, MPI_BYTE);
    Datatype pieces;
    check(MPI_Type_create_hvector(static_cast<int>(run.repeat), 1, run.stride, piece.get(),
                                  pieces.out()),
          "MPI_Type_create_hvector");
    return pieces;
}

}  // namespace

Datatype byte_type(const Shape& shape) {
    const auto runs = shape.runs();
    if (!runs || !is_writable(*runs)) return contiguous(shape.count(), shape.type());
    std::vector<Datatype> types;
    std::vector<MPI_Datatype> raw;
    std::vector<MPI_Aint> offsets;
    for (const auto& run : *runs) {
        types.push_back(type_of(run));
        raw.push_back(types.back().get());
        offsets.push_back(run.offset);
    }
    const std::vector<int> lengths(raw.size(), 1);
    Datatype result;
    check(MPI_Type_create_struct(static_cast<int>(raw.size()), lengths.data(), offsets.data(),
                                 raw.data(), result.out()),
          "MPI_Type_create_struct");
    return result;
}

}  // namespace carpool::mpi
