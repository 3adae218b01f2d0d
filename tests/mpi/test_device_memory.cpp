// ranks: 1 3
// sanitize-ranks: 2
//
// Memory of a GPU is refused, with the name of the argument in the error, if CUDA's driver is
// loaded.

#include <boost/test/unit_test.hpp>

#include "handles.hpp"
#include "patterns.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/carpool.h>
#include <carpool/collectives.h>

#include <dlfcn.h>

#include <vector>

namespace {

using namespace carpool::tests;

void* variable(const char* name) {
    static void* const driver = dlopen(CARPOOL_TEST_FAKE_CUDA, RTLD_NOW);
    BOOST_REQUIRE_MESSAGE(driver != nullptr, dlerror());
    return dlsym(driver, name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(test_device_memory)

BOOST_AUTO_TEST_CASE(an_init_names_the_buffer) {
    auto comm = duplicate_of_world();
    double mine = 1;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("init", comm,
                   {MPI_ERR_BUFFER, {"Carpool_Allreduce_init", "sendbuf is memory of a GPU"}}, [&] {
                       return Carpool_Allreduce_init(variable("fake_cuda_memory"), &mine, 1,
                                                     MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL,
                                                     &request);
                   });
}

BOOST_AUTO_TEST_CASE(a_call_names_it_too) {
    auto comm = duplicate_of_world();
    int mine = 1;
    expect_refusal("call", comm, {MPI_ERR_BUFFER, {"recvbuf is memory of a GPU"}}, [&] {
        return Carpool_Allreduce(&mine, variable("fake_cuda_memory"), 1, MPI_INT, MPI_SUM, comm);
    });
}

BOOST_AUTO_TEST_CASE(a_halo_names_the_field) {
    const Torus torus{{world_size(), 1}, {1, 1}};
    auto comm = neighborhood(torus, moore(2, 1));
    std::vector<double> host(8);
    void* fields[] = {host.data(), variable("fake_cuda_memory")};
    const int ones[] = {1, 1};
    const int none[] = {0, 0};
    Carpool_Halo halo = {};
    halo.fields = 2;
    halo.field = fields;
    halo.shape = halo.lower = ones;
    halo.upper = none;
    halo.order = MPI_ORDER_C;
    halo.element = MPI_DOUBLE;
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    expect_refusal("halo", comm, {MPI_ERR_BUFFER, {"field[1] is memory of a GPU"}},
                   [&] { return Carpool_Halo_init(&halo, comm, MPI_INFO_NULL, &request); });
}

BOOST_AUTO_TEST_CASE(managed_memory_is_the_hosts_too) {
    auto comm = duplicate_of_world();
    int mine = 1;
    auto* const sum = static_cast<int*>(variable("fake_cuda_managed"));
    BOOST_TEST(Carpool_Allreduce(&mine, sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    BOOST_TEST(*sum == world_size());
}

BOOST_AUTO_TEST_SUITE_END()
