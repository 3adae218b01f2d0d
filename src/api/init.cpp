#include "api/init.hpp"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "group/init.hpp"

namespace carpool::api {
namespace {

int initialise(const group::Arguments& arguments, MPI_Comm comm, MPI_Info info, call::Return when,
               Carpool_Request* request) {
    return guarded(comm, [&] {
        check_comm(comm, "comm");
        *request = wrapped(group::initialised(comm, arguments, info, when));
    });
}

}  // namespace

int init(const group::Arguments& arguments, MPI_Comm comm, MPI_Info info,
         Carpool_Request* request) {
    return initialise(arguments, comm, info, call::Return::planned, request);
}

int init_at_once(const group::Arguments& arguments, MPI_Comm comm, MPI_Info info,
                 Carpool_Request* request) {
    return initialise(arguments, comm, info, call::Return::at_once, request);
}

int blocking(const group::Arguments& arguments, MPI_Comm comm) {
    return guarded(comm, [&] {
        check_comm(comm, "comm");
        group::once(comm, arguments)->wait();
    });
}

int nonblocking(const group::Arguments& arguments, MPI_Comm comm, Carpool_Request* request) {
    return guarded(comm, [&] {
        check_comm(comm, "comm");
        *request = wrapped(group::once(comm, arguments));
    });
}

}  // namespace carpool::api
