// SPDX-License-Identifier: MIT
#include "base/unique_id.hpp"

#include "base/digest.hpp"
#include "base/random_bits.hpp"

#include <atomic>

namespace carpool::base {

std::uint64_t unique_id() {
    static const auto of_process = static_cast<std::int64_t>(base::random_bits());
    static std::atomic<std::int64_t> calls = 0;
    base::Digest digest;
    digest.add(of_process);
    digest.add(calls++);
    return digest.bits();
}

}  // namespace carpool::base
