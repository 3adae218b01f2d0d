#include "host/host_call.hpp"

#include <limits>

namespace carpool::host {

/// A count of no bytes may be anything; one of types with gaps is no larger than their bytes.
bool is_narrow(std::int64_t bytes) { return bytes <= std::numeric_limits<int>::max(); }

}  // namespace carpool::host
