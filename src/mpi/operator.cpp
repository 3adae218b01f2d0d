#include "mpi/operator.hpp"

#include "mpi/error.hpp"
#include "mpi/lane.hpp"

#include <mutex>
#include <string>

namespace carpool::mpi {
namespace {

std::string name_of(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    check(MPI_Type_get_name(type, name, &length), "MPI_Type_get_name");
    return length > 0 ? std::string(name, static_cast<std::size_t>(length)) : "a derived datatype";
}

/// MPI has no query for it, but refuses even an empty reduction of this process with itself.
bool accepted(MPI_Op op, MPI_Datatype type) {
    static std::mutex mutex;  // for the one communicator of all threads
    const auto comm = private_self();
    const std::lock_guard lock(mutex);
    int nothing = 0;
    int result = 0;
    return MPI_Allreduce(&nothing, &result, 0, type, op, comm) == MPI_SUCCESS;
}

}  // namespace

void check_op(MPI_Op op, MPI_Datatype type) {
    if (op == MPI_OP_NULL) throw Error(MPI_ERR_OP, "op is MPI_OP_NULL, expected an operator");
    if (op == MPI_REPLACE || op == MPI_NO_OP)
        throw Error(MPI_ERR_OP, std::string("op is ") +
                                    (op == MPI_REPLACE ? "MPI_REPLACE" : "MPI_NO_OP") +
                                    ", which is for one-sided communication only, expected an "
                                    "operator that reduces");
    if (!accepted(op, type))
        throw Error(MPI_ERR_OP, "op does not reduce datatype " + name_of(type) +
                                    ", expected an operator that is defined for it");
}

bool commutes(MPI_Op op) {
    int flag = 0;
    check(MPI_Op_commutative(op, &flag), "MPI_Op_commutative");
    return flag != 0;
}

}  // namespace carpool::mpi
