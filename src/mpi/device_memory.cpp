#include "mpi/device_memory.hpp"

#include "mpi/error.hpp"

#include <mpi.h>

#include <dlfcn.h>

#include <atomic>
#include <cstdint>

namespace carpool::mpi {
namespace {

// As cuda.h declares them.
using PointerGetAttribute = int(void* value, int attribute, std::uintptr_t pointer);
constexpr int attribute_memory_type = 2;
constexpr int attribute_is_managed = 8;
constexpr unsigned device_type = 2;

/// Null as long as nothing in this process has loaded the driver.
PointerGetAttribute* pointer_get_attribute() {
    static std::atomic<PointerGetAttribute*> known = nullptr;
    if (auto* const found = known.load()) return found;
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) return nullptr;
    known = reinterpret_cast<PointerGetAttribute*>(dlsym(driver, "cuPointerGetAttribute"));
    return known;  // the driver stays loaded: it is not closed
}

bool is_device_memory(const void* buffer) {
    auto* const ask = pointer_get_attribute();
    if (ask == nullptr) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(buffer);
    unsigned type = 0;
    unsigned managed = 0;  // a bool there, of one byte
    return ask(&type, attribute_memory_type, address) == 0 && type == device_type &&
           (ask(&managed, attribute_is_managed, address) != 0 || managed == 0);
}

}  // namespace

void check_host_memory(const std::string& argument, const void* buffer) {
    if (is_device_memory(buffer))
        throw Error(MPI_ERR_BUFFER, argument +
                                        " is memory of a GPU, expected memory of the host: copy "
                                        "it there first, or allocate it as managed");
}

}  // namespace carpool::mpi
