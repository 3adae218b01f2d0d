// SPDX-License-Identifier: MIT
#include "shared/common_memory.hpp"

#include "shared/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace carpool::shared {

std::unique_ptr<CommonMemory> CommonMemory::create(std::size_t bytes) {
    const auto file = make_memory_file(bytes);
    if (file.start == nullptr) return nullptr;
    std::unique_ptr<CommonMemory> memory(new CommonMemory(file));
    return take_pages(file.descriptor, 0, bytes) ? std::move(memory) : nullptr;
}

std::unique_ptr<CommonMemory> CommonMemory::open(long process, int descriptor, std::size_t bytes) {
    const auto file = open_memory_file(process, descriptor, true);
    if (file.start == nullptr) return nullptr;
    std::unique_ptr<CommonMemory> memory(new CommonMemory(file));
    return file.size == bytes ? std::move(memory) : nullptr;
}

CommonMemory::~CommonMemory() {
    close();
    munmap(file_.start, file_.size);
}

void CommonMemory::close() {
    if (file_.descriptor >= 0) ::close(std::exchange(file_.descriptor, -1));
}

}  // namespace carpool::shared
