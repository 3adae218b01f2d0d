#include "api/collectives.hpp"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "group/init.hpp"

namespace carpool::api {
namespace {

int initialise(const CollectiveCall& c, MPI_Info info, group::Return when,
               Carpool_Request* request) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        *request = wrapped(group::initialised(c.comm, c.arguments, info, when));
    });
}

}  // namespace

int blocking(const CollectiveCall& c) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        group::once(c.comm, c.arguments)->wait();
    });
}

int nonblocking(const CollectiveCall& c, Carpool_Request* request) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        *request = wrapped(group::once(c.comm, c.arguments));
    });
}

int persistent(const CollectiveCall& c, MPI_Info info, Carpool_Request* request) {
    return initialise(c, info, group::Return::planned, request);
}

int background(const CollectiveCall& c, MPI_Info info, Carpool_Request* request) {
    return initialise(c, info, group::Return::at_once, request);
}

}  // namespace carpool::api
