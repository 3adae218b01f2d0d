// SPDX-License-Identifier: MIT
#include "shared/memory_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace carpool::shared {
namespace {

/// May a file be that long? Making one beyond the limit would end the process.
bool may_have(std::size_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes;
}

std::byte* mapped(int file, std::size_t size, bool to_write) {
    const int access = to_write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* const start = mmap(nullptr, size, access, MAP_SHARED, file, 0);
    return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

}  // namespace

MemoryFile make_memory_file(std::size_t bytes) {
    if (!may_have(bytes)) return {};
    const int descriptor = memfd_create("carpool", MFD_CLOEXEC);
    if (descriptor < 0) return {};
    std::byte* start = nullptr;
    if (ftruncate(descriptor, static_cast<off_t>(bytes)) == 0)
        start = mapped(descriptor, bytes, true);
    if (start == nullptr) {
        close(descriptor);
        return {};
    }
    madvise(start, bytes, MADV_DONTFORK);  // a forked child must not act as its parent
    return {start, bytes, descriptor};
}

bool take_pages(int descriptor, std::size_t begin, std::size_t end) {
    return may_have(end) && posix_fallocate(descriptor, static_cast<off_t>(begin),
                                            static_cast<off_t>(end - begin)) == 0;
}

MemoryFile open_memory_file(long process, int descriptor, bool to_write) {
    const auto path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    const int access = to_write ? O_RDWR : O_RDONLY;
    const int file = open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return {};
    struct stat about{};
    MemoryFile found;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        found.size = static_cast<std::size_t>(about.st_size);
        found.start = mapped(file, found.size, to_write);
    }
    close(file);
    if (found.start == nullptr) return {};
    if (to_write) madvise(found.start, found.size, MADV_DONTFORK);
    return found;
}

}  // namespace carpool::shared
