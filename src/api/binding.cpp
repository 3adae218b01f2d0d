#include "api/guarded.hpp"

using namespace carpool;

/// Reports an error for language bindings (fortran/binding.h), which find mistakes that a call in C
/// cannot have.
extern "C" __attribute__((visibility("default"))) int Carpool_f08_report(const char* function,
                                                                         MPI_Comm comm,
                                                                         int error_class,
                                                                         const char* text) {
    api::require_mpi(function);
    return api::report(function, comm, error_class, text);
}
