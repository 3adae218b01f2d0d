#include "call/drawn_number.hpp"

#include "mpi/digest.hpp"

#include <atomic>
#include <random>

namespace carpool::call {
namespace {

std::int64_t seed() {
    std::random_device device;
    return std::int64_t{device()} << 32 | device();
}

}  // namespace

std::uint64_t drawn_number() {
    static const std::int64_t of_process = seed();
    static std::atomic<std::int64_t> calls = 0;
    mpi::Digest digest;
    digest.add(of_process);
    digest.add(calls++);
    return digest.bits();
}

}  // namespace carpool::call
