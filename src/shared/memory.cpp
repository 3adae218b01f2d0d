// SPDX-License-Identifier: MIT
#include "shared/memory.hpp"

#include "shared/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace carpool::shared {
namespace {

constexpr std::size_t least_piece = 128;  // two cache lines, which processors fetch together
constexpr std::size_t pages = 1 << 18;    // pages are taken in steps of this many bytes

}  // namespace

std::unique_ptr<Memory> Memory::create(std::size_t most, MayTake may_take) {
    const auto file = make_memory_file(most);
    if (file.start == nullptr) return nullptr;
    return std::unique_ptr<Memory>(new Memory(file.descriptor, file.start, most, may_take));
}

Memory::~Memory() {
    munmap(start_, most_);
    close(descriptor_);
}

/// Rounds up to a power of two or to the middle between two of them: at most a third is wasted.
std::size_t Memory::piece(std::size_t bytes) {
    const auto upper = std::bit_ceil(std::max(bytes, least_piece));
    const auto middle = upper / 4 * 3;
    return middle % least_piece == 0 && bytes <= middle ? middle : upper;
}

std::optional<std::size_t> Memory::take(std::size_t bytes) {
    if (!lets_take()) return std::nullopt;
    const auto size = piece(bytes);
    const std::lock_guard lock(mutex_);
    if (size > most_ - end_ || !grow(end_ + size)) return std::nullopt;
    return std::exchange(end_, end_ + size);
}

/// Takes pages and touches them. Otherwise the first messages in them would take several times as
/// long as others, on both sides, and measurements would take the transport for slow.
bool Memory::grow(std::size_t end) {
    if (end <= backed_) return true;
    const auto wanted = std::min(most_, (end + pages - 1) / pages * pages);
    refused_ = refused_ || !take_pages(descriptor_, backed_, wanted);
    if (refused_) return false;
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (auto at = backed_; at < wanted; at += page) start_[at] = std::byte{0};
    backed_ = wanted;
    return true;
}

std::size_t Memory::in_use() const {
    const std::lock_guard lock(mutex_);
    return end_;
}

std::unique_ptr<Window> Window::open(long process, int descriptor) {
    const auto file = open_memory_file(process, descriptor, false);
    if (file.start == nullptr) return nullptr;
    return std::unique_ptr<Window>(new Window(file.start, file.size));
}

Window::~Window() { munmap(const_cast<std::byte*>(start_), size_); }

}  // namespace carpool::shared
