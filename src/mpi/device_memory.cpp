#include "mpi/device_memory.hpp"

#include "mpi/error.hpp"

#include <mpi.h>
#include <string>

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace carpool::mpi {
namespace {

// As cuda.h declares them.
using PointerGetAttribute = int(void* value, int attribute, std::uintptr_t pointer);
constexpr int attribute_memory_type = 2;
constexpr int attribute_is_managed = 8;
constexpr unsigned device_type = 2;

/// The number of libraries that this process has loaded so far.
unsigned long long libraries_loaded() {
    unsigned long long loaded = 0;
    const auto first = [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds;
        return 1;
    };
    dl_iterate_phdr(first, &loaded);
    return loaded;
}

/// Null as long as nothing in this process has loaded the driver. Looking for the driver searches
/// all library directories (20 us), so it is only repeated after another library has been loaded.
PointerGetAttribute* pointer_get_attribute() {
    static std::atomic<PointerGetAttribute*> known = nullptr;
    static std::atomic<unsigned long long> looked_among = 0;
    if (auto* const found = known.load()) return found;
    const auto loaded = libraries_loaded();
    if (looked_among == loaded) return nullptr;
    void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) {
        looked_among = loaded;
        return nullptr;
    }
    known = reinterpret_cast<PointerGetAttribute*>(dlsym(driver, "cuPointerGetAttribute"));
    return known;  // the driver stays loaded: it is not closed
}

/// Ranges of addresses in which this thread has found memory of the host before a driver was
/// loaded. They save libraries_loaded(), which takes as long as reading a block. They are kept
/// after a driver has been loaded: it is assumed to map memory of the GPU neither into such a range
/// nor where memory of the host has been.
class HostRanges {
public:
    /// Whether the address lies in one of them.
    static bool contain(std::uintptr_t address) { return place_of(address) == number_of(address); }
    static void add(std::uintptr_t address) { place_of(address) = number_of(address); }

private:
    static constexpr std::size_t count = 64;
    static constexpr int bits = 16;  // of a range's length

    static std::uintptr_t number_of(std::uintptr_t address) { return (address >> bits) + 1; }
    static std::uintptr_t& place_of(std::uintptr_t address) {
        return ranges_[number_of(address) % count];
    }

    static inline thread_local constinit std::array<std::uintptr_t, count> ranges_ = {};
};

bool is_device_memory(const void* buffer) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer);
    if (HostRanges::contain(address)) return false;
    auto* const ask = pointer_get_attribute();
    if (ask == nullptr) {
        HostRanges::add(address);
        return false;
    }
    unsigned type = 0;
    unsigned managed = 0;  // a bool of one byte in CUDA
    return ask(&type, attribute_memory_type, address) == 0 && type == device_type &&
           (ask(&managed, attribute_is_managed, address) != 0 || managed == 0);
}

}  // namespace

void check_host_memory(std::string_view argument, const void* buffer) {
    if (is_device_memory(buffer))
        throw Error(MPI_ERR_BUFFER, std::string(argument) +
                                        " is memory of a GPU, expected memory of the host: copy "
                                        "it there first, or allocate it as managed");
}

}  // namespace carpool::mpi
