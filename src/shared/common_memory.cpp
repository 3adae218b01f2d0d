#include "shared/common_memory.hpp"

#include "shared/open_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace carpool::shared {

CommonMemory::CommonMemory(std::byte* start, std::size_t size, int descriptor)
    : start_(start), size_(size), descriptor_(descriptor) {
    madvise(start_, size_, MADV_DONTFORK);  // a child must not speak for its parent
}

/// Its pages are taken now: where there are none, touching one would end the process.
std::unique_ptr<CommonMemory> CommonMemory::create(std::size_t bytes) {
    const int descriptor = memfd_create("carpool", MFD_CLOEXEC);
    if (descriptor < 0) return nullptr;
    void* start = MAP_FAILED;
    if (posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0)
        start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED) {
        ::close(descriptor);
        return nullptr;
    }
    return std::unique_ptr<CommonMemory>(
        new CommonMemory(static_cast<std::byte*>(start), bytes, descriptor));
}

std::unique_ptr<CommonMemory> CommonMemory::open(long process, int descriptor) {
    const auto mapped = map_open_file(process, descriptor, true);
    if (mapped.start == nullptr) return nullptr;
    return std::unique_ptr<CommonMemory>(new CommonMemory(mapped.start, mapped.size, -1));
}

CommonMemory::~CommonMemory() {
    close();
    munmap(start_, size_);
}

void CommonMemory::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace carpool::shared
