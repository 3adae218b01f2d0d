// SPDX-License-Identifier: MIT
// Functions that are never Carpool's are MPI's own from the first call on: no function of Carpool's
// library is on the stack where MPI calls an operator of the program's.

#include "checks.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <mpi.h>

#include <array>
#include <cstring>

namespace {

int calls = 0;  // of the operator
int calls_through_carpool = 0;

bool is_of_carpool(void* address) {
    Dl_info info;
    return dladdr(address, &info) != 0 && std::strstr(info.dli_fname, "libcarpool_mpi-") != nullptr;
}

void add(void* in, void* inout, int* length, MPI_Datatype*) {
    for (int i = 0; i < *length; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
    std::array<void*, 100> stack{};
    const auto* const end = stack.begin() + backtrace(stack.data(), static_cast<int>(stack.size()));
    ++calls;
    calls_through_carpool += std::any_of(stack.cbegin(), end, is_of_carpool);
}

}  // namespace

/// @param argv  "left" or "taken": what the functions must be
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add, 1, &op);
    for (int i = 1; i <= 3; ++i) {
        int sum = 0;
        MPI_Allreduce(&i, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
        CHECK(sum == 2 * i);
    }
    const bool are_left = std::strcmp(argv[1], "left") == 0;
    CHECK(calls == 0 || are_left == (calls_through_carpool == 0));
    int on_all = 0;
    PMPI_Allreduce(&calls, &on_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(on_all > 0);
    MPI_Op_free(&op);
    return interposed::finish("left_functions");
}
