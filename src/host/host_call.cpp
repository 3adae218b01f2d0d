#include "host/host_call.hpp"

#include "engine/activity.hpp"
#include "engine/inside.hpp"
#include "mpi/error.hpp"

#include <limits>

namespace carpool::host {

/// A count of no bytes may be anything; one of types with gaps is no larger than their bytes.
bool is_narrow(std::int64_t bytes) { return bytes <= std::numeric_limits<int>::max(); }

void HostCall::start(int) {
    engine::Activity::go_on_outside();
    const engine::Outside outside;
    mpi::check(call_(), "MPI's own collective");
}

}  // namespace carpool::host
