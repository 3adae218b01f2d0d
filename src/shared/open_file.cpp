#include "shared/open_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace carpool::shared {

Mapped map_open_file(long process, int descriptor, bool to_write) {
    const auto path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    const int access = to_write ? O_RDWR : O_RDONLY;
    const int file = ::open(path.c_str(), access | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return {};
    struct stat about{};
    void* start = MAP_FAILED;
    std::size_t size = 0;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        size = static_cast<std::size_t>(about.st_size);
        start =
            mmap(nullptr, size, to_write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (start == MAP_FAILED) return {};
    return {static_cast<std::byte*>(start), size};
}

}  // namespace carpool::shared
