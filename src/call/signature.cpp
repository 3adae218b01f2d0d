#include "call/signature.hpp"

#include "mpi/type_contents.hpp"

namespace carpool::call {

bool sign(Signature& signature, const Side& side, int blocks) {
    signature.push_back(bits_of(side.buffer));
    const int types = side.varying_types ? blocks : 1;
    for (int i = 0; i < types; ++i) {
        if (side.type(i) == MPI_DATATYPE_NULL || !mpi::is_predefined(side.type(i))) return false;
        signature.push_back(bits_of(side.type(i)));
    }
    const int counts = side.varying_counts ? blocks : 1;
    for (int i = 0; i < counts; ++i) {
        signature.push_back(side.count(i));
        signature.push_back(side.displacement(i));
    }
    return true;
}

}  // namespace carpool::call
