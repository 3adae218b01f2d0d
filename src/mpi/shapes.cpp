#include "mpi/shapes.hpp"

namespace carpool::mpi {

void Shapes::begin_call() {
    std::erase_if(types_, [](const auto& known) { return !known.second.asked; });
    for (auto& [type, known] : types_) known.asked = false;
}

std::shared_ptr<const DerivedType> Shapes::find(MPI_Datatype type) {
    const auto found = types_.find(type);
    if (found == types_.end()) return nullptr;
    found->second.asked = true;
    return found->second.type;
}

std::shared_ptr<const DerivedType> Shapes::read(MPI_Datatype type) {
    return types_[type].type = std::make_shared<const DerivedType>(type);
}

Shape Shapes::of(MPI_Count count, const std::shared_ptr<const DerivedType>& type) {
    if (type->element().is_dense) return Shape(count, type);
    const auto found = types_.find(type->given());
    if (found == types_.end()) return Shape(count, type);
    auto& latest = found->second.latest;
    if (!latest || latest.count() != count) latest = Shape(count, type);
    return latest;
}

}  // namespace carpool::mpi
