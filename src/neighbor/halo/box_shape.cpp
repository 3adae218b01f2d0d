// SPDX-License-Identifier: MIT
#include "neighbor/halo/box_shape.hpp"

#include "mpi/error.hpp"

#include <memory>
#include <utility>

namespace carpool::neighbor {

using mpi::check;

BoxShape::BoxShape(const HaloArguments& arguments, int dimensions)
    : arguments_(arguments), device_(device_of(arguments)) {
    for (int k = 0; k < dimensions; ++k)
        sizes_.push_back(arguments.lower[k] + arguments.shape[k] + arguments.upper[k]);
}

mpi::Datatype BoxShape::subarray(const halo::Box& box) const {
    std::vector<int> sizes;
    std::vector<int> starts;
    for (std::size_t k = 0; k < sizes_.size(); ++k) {
        sizes.push_back(static_cast<int>(box.size[k]));
        starts.push_back(static_cast<int>(box.first[k] + arguments_.lower[k]));
    }
    mpi::Datatype type;
    check(MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes_.data(), sizes.data(),
                                   starts.data(), arguments_.order, arguments_.element, type.out()),
          "MPI_Type_create_subarray");
    return type;
}

mpi::Datatype BoxShape::strided(const halo::Box& box) const {
    const bool first_is_densest = arguments_.order == MPI_ORDER_FORTRAN;
    mpi::Datatype type;
    check(MPI_Type_dup(arguments_.element, type.out()), "MPI_Type_dup");
    MPI_Aint corner = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const auto k = first_is_densest ? i : sizes_.size() - 1 - i;
        mpi::Datatype line;
        check(MPI_Type_create_hvector(static_cast<int>(box.size[k]), 1, arguments_.strides[k],
                                      type.get(), line.out()),
              "MPI_Type_create_hvector");
        type = std::move(line);
        corner += (box.first[k] + arguments_.lower[k]) * arguments_.strides[k];
    }
    mpi::Datatype moved;
    check(MPI_Type_create_hindexed_block(1, 1, &corner, type.get(), moved.out()),
          "MPI_Type_create_hindexed_block");
    return moved;
}

mpi::Block BoxShape::block(const std::vector<halo::Box>& boxes) const {
    if (boxes.empty() || arguments_.fields == 0) return {};
    auto* const base = static_cast<std::byte*>(arguments_.field[0]);
    std::vector<mpi::Datatype> owned;
    for (const auto& box : boxes)
        owned.push_back(arguments_.strides == nullptr ? subarray(box) : strided(box));
    std::vector<MPI_Datatype> types;
    std::vector<MPI_Aint> displacements;
    MPI_Aint first = 0;
    check(MPI_Get_address(base, &first), "MPI_Get_address");
    for (int f = 0; f < arguments_.fields; ++f) {
        MPI_Aint address = 0;
        check(MPI_Get_address(arguments_.field[f], &address), "MPI_Get_address");
        for (const auto& type : owned) {
            types.push_back(type.get());
            displacements.push_back(address - first);
        }
    }
    const std::vector<int> lengths(types.size(), 1);
    mpi::Datatype whole;
    check(MPI_Type_create_struct(static_cast<int>(types.size()), lengths.data(),
                                 displacements.data(), types.data(), whole.out()),
          "MPI_Type_create_struct");
    check(MPI_Type_commit(whole.out()), "MPI_Type_commit");
    const mpi::Shape shape(1, whole.get());
    if (device_ != nullptr && !shape.runs())
        throw mpi::Error(MPI_ERR_TYPE,
                         "a side of the halo has too many pieces for fields in memory of a GPU");
    return {base, shape, device_};
}

}  // namespace carpool::neighbor
