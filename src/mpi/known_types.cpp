#include "mpi/known_types.hpp"

namespace carpool::mpi {

void KnownTypes::begin_call() {
    std::erase_if(types_, [](const auto& known) { return !known.second.asked; });
    for (auto& [type, known] : types_) {
        known.asked = false;
        known.shapes.clear();
    }
}

std::shared_ptr<const DerivedType> KnownTypes::find(MPI_Datatype type) {
    const auto found = types_.find(type);
    if (found == types_.end()) return nullptr;
    found->second.asked = true;
    return found->second.type;
}

std::shared_ptr<const DerivedType> KnownTypes::read(MPI_Datatype type) {
    auto read = std::make_shared<const DerivedType>(type);
    if (read->given() == type) types_[type].type = read;
    return read;
}

Shape KnownTypes::shape_of(MPI_Count count, const std::shared_ptr<const DerivedType>& type) {
    const auto found = types_.find(type->given());
    if (type->element().is_dense || found == types_.end()) return Shape(count, type);
    auto& shape = found->second.shapes[count];
    if (!shape) shape = Shape(count, type);
    return shape;
}

}  // namespace carpool::mpi
