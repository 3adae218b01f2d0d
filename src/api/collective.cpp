#include "api/collective.hpp"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "neighbor/init.hpp"

namespace carpool::api {

int blocking(const Collective& c) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        neighbor::once(c.comm, c.arguments)->wait();
    });
}

int nonblocking(const Collective& c, Carpool_Request* request) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        *request = wrapped(neighbor::once(c.comm, c.arguments));
    });
}

int persistent(const Collective& c, MPI_Info info, Carpool_Request* request) {
    return guarded(c.comm, [&] {
        check_comm(c.comm, "comm");
        *request = wrapped(neighbor::initialised(c.comm, c.arguments, info));
    });
}

}  // namespace carpool::api
