// SPDX-License-Identifier: MIT
// ranks: 1 3
// sanitize-ranks: none
//
// Entries that lie further apart than an int of bytes.

#include <boost/test/unit_test.hpp>

#include "datatypes.hpp"
#include "ghost_arrays.hpp"
#include "handles.hpp"
#include "world.hpp"

#include <carpool/ghosts.h>
#include <sys/mman.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_ghosts_far)

namespace {

using namespace carpool::tests;

constexpr MPI_Aint stride = MPI_Aint{400} << 20;
constexpr int entries = 16;

/// Entries of which only the first bytes are ever written; the system provides no memory for the
/// others.
class FarEntries {
public:
    FarEntries()
        : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::runtime_error("no addresses for entries");
    }
    FarEntries(const FarEntries&) = delete;
    ~FarEntries() { munmap(memory_, bytes); }

    void* memory() const { return memory_; }
    double& operator[](int i) const {
        return *reinterpret_cast<double*>(static_cast<std::byte*>(memory_) + i * stride);
    }

private:
    static constexpr std::size_t bytes = static_cast<std::size_t>(entries) * stride;
    void* memory_;
};

Type far_double() {
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_DOUBLE, 0, stride, &type);
    return committed(type);
}

/// Every rank has ghosts of the same entries of the next one, in an order without a pattern.
const std::vector<MPI_Count> wanted{9, 0, 15, 2, 3, 14, 7, 8, 1, 12, 6, 13, 4};

Carpool_Ghosts map_of(MPI_Comm comm) {
    const std::vector<int> owners(wanted.size(), (world_rank() + 1) % world_size());
    Carpool_Ghosts map = CARPOOL_GHOSTS_NULL;
    BOOST_TEST_REQUIRE(Carpool_Ghosts_create(comm, entries, std::ssize(wanted), owners.data(),
                                             wanted.data(), MPI_INFO_NULL, &map) == MPI_SUCCESS);
    return map;
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_that_lie_gibibytes_apart_are_updated) {
    const auto comm = duplicate_of_world();
    const auto type = far_double();
    auto map = map_of(comm);
    const FarEntries owned, ghosts;
    for (int i = 0; i < entries; ++i) owned[i] = 100 * world_rank() + i;
    BOOST_TEST_REQUIRE(Carpool_Ghosts_update(owned.memory(), ghosts.memory(), 1, type, map) ==
                       MPI_SUCCESS);
    const int next = (world_rank() + 1) % world_size();
    for (std::size_t g = 0; g < wanted.size(); ++g)
        BOOST_TEST(ghosts[static_cast<int>(g)] == 100 * next + static_cast<double>(wanted[g]));
    BOOST_TEST(Carpool_Ghosts_free(&map) == MPI_SUCCESS);
}

BOOST_AUTO_TEST_SUITE_END()
