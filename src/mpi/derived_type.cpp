#include "mpi/derived_type.hpp"

#include "mpi/type_contents.hpp"

#include <utility>

namespace carpool::mpi {

DerivedType::DerivedType(MPI_Datatype type) : element_(type) {
    auto [own, given] = kept(type);
    kept_ = std::move(own);
    given_ = given;
}

}  // namespace carpool::mpi
