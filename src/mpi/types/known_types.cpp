// SPDX-License-Identifier: MIT
#include "mpi/types/known_types.hpp"

namespace carpool::mpi {

std::shared_ptr<const DerivedType> KnownTypes::find(MPI_Datatype type) {
    if (types_.empty()) return nullptr;
    const auto found = types_.find(type);
    if (found == types_.end()) return nullptr;
    found->second.asked = true;
    return found->second.type;
}

std::shared_ptr<const DerivedType> KnownTypes::read(MPI_Datatype type) {
    auto read = std::make_shared<const DerivedType>(type);
    if (read->given() != type) return read;
    make_room();
    types_[type].type = read;
    return read;
}

/// If there are many types, forgets those that no call has asked for since the last time.
void KnownTypes::make_room() {
    constexpr std::size_t many = 32;
    if (types_.size() < many) return;
    std::erase_if(types_, [](const auto& known) { return !known.second.asked; });
    for (auto& [type, known] : types_) known.asked = false;
}

Shape KnownTypes::shape_of(MPI_Count count, const std::shared_ptr<const DerivedType>& type) {
    constexpr std::size_t many = 32;
    const auto found = types_.find(type->given());
    if (type->element().is_dense || found == types_.end()) return Shape(count, type);
    auto& shapes = found->second.shapes;
    if (shapes.size() >= many) shapes.clear();
    auto& shape = shapes[count];
    if (!shape) shape = Shape(count, type);
    return shape;
}

}  // namespace carpool::mpi
