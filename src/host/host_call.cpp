#include "host/host_call.hpp"

#include "engine/activity.hpp"
#include "engine/inside_call.hpp"
#include "mpi/error.hpp"

#include <limits>

namespace carpool::host {

/// A count is no larger than its bytes, also of datatypes with gaps; of datatypes without bytes it
/// may be anything.
bool is_narrow(std::int64_t bytes) { return bytes <= std::numeric_limits<int>::max(); }

void HostCall::start(int) {
    engine::Activity::go_on_outside();
    const engine::InHostCall outside;
    mpi::check(call_(), "MPI's own collective");
}

}  // namespace carpool::host
