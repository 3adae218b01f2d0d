// SPDX-License-Identifier: MIT
#include "arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace carpool::tests {

/// Never destroyed, since memory is freed until the process ends; nor allocated, since allocation
/// may ask for it.
Arena& Arena::get() {
    alignas(Arena) static std::byte place[sizeof(Arena)];
    static Arena* const arena = new (place) Arena;
    return *arena;
}

Arena::Arena() {
    const int file = memfd_create("carpool device", 0);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) std::abort();
    const auto map = [file](int protection) {
        void* const memory = mmap(nullptr, size, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
        if (memory == MAP_FAILED) std::abort();
        return reinterpret_cast<std::uintptr_t>(memory);
    };
    seen_ = map(PROT_READ | PROT_WRITE);
    device_ = map(PROT_NONE);
    close(file);
}

std::byte* Arena::allocate(std::size_t bytes) {
    const auto whole = std::max(bytes, sizeof(std::byte*)) + header;
    if (whole < bytes) return nullptr;
    const auto power = static_cast<std::size_t>(std::bit_width(whole - 1));
    if (power >= free_.size()) return nullptr;
    const std::lock_guard lock(mutex_);
    auto* piece = free_[power];
    if (piece != nullptr) {
        std::memcpy(&free_[power], piece + header, sizeof(std::byte*));
    } else {
        const auto length = std::size_t{1} << power;
        if (length > size - cut_) return nullptr;
        piece = reinterpret_cast<std::byte*>(seen_ + cut_);
        cut_ += length;
    }
    std::memcpy(piece, &power, sizeof power);
    return piece + header;
}

void Arena::free(std::byte* memory) {
    const std::lock_guard lock(mutex_);
    auto* const piece = memory - header;
    std::size_t power = 0;
    std::memcpy(&power, piece, sizeof power);
    std::memcpy(piece + header, &free_[power], sizeof(std::byte*));
    free_[power] = piece;
}

}  // namespace carpool::tests
