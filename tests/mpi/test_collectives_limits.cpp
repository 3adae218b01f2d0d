// ranks: 1 2 5
//
// What there is not enough of: tags, and memory for what is on its way.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/collectives.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

namespace {

using namespace carpool::tests;

/// The least that MPI may have.
int few_tags = 32767;

/// Larger pieces of memory are not to be had.
std::size_t largest = std::numeric_limits<std::size_t>::max();

}  // namespace

int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
    const int code = PMPI_Comm_get_attr(comm, key, value, flag);
    if (key == MPI_TAG_UB) *static_cast<int**>(value) = &few_tags;
    return code;
}

[[gnu::noinline]] void* operator new(std::size_t size) {
    void* const memory = size <= largest ? std::malloc(size ? size : 1) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

BOOST_AUTO_TEST_CASE(more_requests_than_tags_are_refused) {
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    const Comm comm(made);
    const int most = (few_tags + 1) / 1024;
    std::vector<Carpool_Request> requests(static_cast<std::size_t>(most));
    const auto init = [&](Carpool_Request& request) {
        return Carpool_Barrier_init(made, MPI_INFO_NULL, &request);
    };
    for (auto& request : requests) BOOST_TEST_REQUIRE(init(request) == MPI_SUCCESS);
    Carpool_Request another = CARPOOL_REQUEST_NULL;
    expect_refusal("one more", made, {MPI_ERR_OTHER, {"tags", std::to_string(most)}},
                   [&] { return init(another); });
    BOOST_TEST(Carpool_Request_free(&requests[7]) == MPI_SUCCESS);
    BOOST_TEST(init(requests[7]) == MPI_SUCCESS);
    for (auto& request : requests) {
        BOOST_TEST(Carpool_Start(&request) == MPI_SUCCESS);
        BOOST_TEST(Carpool_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        Carpool_Request_free(&request);
    }
}

BOOST_AUTO_TEST_CASE(all_are_refused_what_one_has_no_memory_for) {
    if (world_size() == 1) return;
    const std::vector<double> sent(1 << 19, 1);
    std::vector<double> received(sent.size());
    const auto info = info_of({{"carpool_algorithm", "spread"}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    const auto init = [&] {
        if (world_rank() == 1) largest = 1 << 20;
        const int code = Carpool_Allreduce_init(sent.data(), received.data(), 1 << 19, MPI_DOUBLE,
                                                MPI_SUM, MPI_COMM_WORLD, info, &request);
        largest = std::numeric_limits<std::size_t>::max();
        return code;
    };
    expect_refusal("no memory", MPI_COMM_WORLD, {MPI_ERR_NO_MEM, {"rank 1", "memory"}}, init);
}
