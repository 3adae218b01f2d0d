// SPDX-License-Identifier: MIT
#include "device/copies.hpp"

#include "device/failure.hpp"
#include "device/tiles.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace carpool::device {
namespace {

constexpr unsigned threads = 256;      // of a block
constexpr unsigned most_blocks = 128;  // as many as keep a bus busy

std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

}  // namespace

Copies::~Copies() {
    if (event_ == nullptr) return;
    try {
        const Device::Current current(device_);
        static_cast<void>(device_.driver().destroy_event(event_));
    } catch (const Failure&) {  // the driver has ended before the program
    }
}

void Copies::become(std::vector<Strip> strips) {
    strips_ = std::move(strips);
    std::erase_if(strips_, [](const Strip& one) { return one.length <= 0 || one.pieces <= 0; });
    if (strips_.empty() || device_.kernel() == nullptr) return;
    const auto tiles = tiles_of(strips_);
    const auto bytes = tiles.size() * sizeof(Tile);
    if (tiles_.bytes() < bytes) tiles_ = device_.pinned(bytes);
    std::memcpy(tiles_.get(), tiles.data(), bytes);
    count_ = static_cast<unsigned>(tiles.size());
    constexpr unsigned warps = threads / lanes_of_tile;
    blocks_ = std::min(most_blocks, (count_ + warps - 1) / warps);
    if (words_.get() != nullptr) return;
    words_ = device_.pinned(most_blocks * sizeof(unsigned));
    std::memset(words_.get(), 0, words_.bytes());
}

/// A launch would be kept by the capture instead of being run, and the exchange would never end.
void Copies::refuse_capture(Stream stream) const {
    const auto ask = device_.driver().is_capturing;
    int status = 0;
    if (stream == nullptr || ask == nullptr) return;
    if (ask(stream, &status) == 0 && status != 0)
        throw Failure("the stream is being captured, expected a stream that runs what it is given");
}

void Copies::start(Stream stream) {
    if (strips_.empty()) return;
    const Device::Current current(device_);
    refuse_capture(stream);
    if (auto* const kernel = device_.kernel())
        launch(kernel, stream);
    else
        copy_one_by_one(stream);
    under_way_ = true;
}

void Copies::launch(void* kernel, Stream stream) {
    ++number_;
    seen_ = 0;
    void* tiles = tiles_.get();
    void* words = words_.get();
    void* arguments[] = {static_cast<void*>(&tiles), &count_, static_cast<void*>(&words), &number_};
    device_.check(device_.driver().launch(kernel, blocks_, 1, 1, threads, 1, 1, 0, stream,
                                          arguments, nullptr),
                  "cuLaunchKernel");
}

bool Copies::ended() {
    if (!under_way_) return true;
    if (event_ != nullptr) {
        const Device::Current current(device_);
        constexpr int not_ready = 600;
        const auto result = device_.driver().query_event(event_);
        if (result == not_ready) return false;
        device_.check(result, "cuEventQuery");
    } else {
        const auto* const words = reinterpret_cast<const volatile unsigned*>(words_.get());
        for (; seen_ < blocks_; ++seen_)
            if (words[seen_] != number_) return false;
        std::atomic_thread_fence(std::memory_order_acquire);
    }
    under_way_ = false;
    return true;
}

void Copies::copy_one_by_one(Stream stream) {
    constexpr unsigned without_timing = 2;
    const auto& driver = device_.driver();
    if (event_ == nullptr)
        device_.check(driver.create_event(&event_, without_timing), "cuEventCreate");
    for (const auto& strip : strips_) copy(strip, stream);
    device_.check(driver.record_event(event_, stream), "cuEventRecord");
}

/// One 2-D copy, or one for each piece where strides are not those of rows.
void Copies::copy(const Strip& strip, Stream stream) const {
    constexpr std::int64_t most_pitch = (std::int64_t{1} << 31) - 1;
    const auto is_pitch = [&](std::int64_t stride) {
        return stride >= strip.length && stride <= most_pitch;
    };
    const bool rows =
        strip.pieces == 1 || (is_pitch(strip.from_stride) && is_pitch(strip.to_stride));
    const auto types = device_.driver().memory_types;
    const bool from_device = direction_ == Direction::from_device;
    for (std::int64_t piece = 0; piece < (rows ? 1 : strip.pieces); ++piece) {
        auto* const from = const_cast<std::byte*>(strip.from) + piece * strip.from_stride;
        auto* const to = strip.to + piece * strip.to_stride;
        const auto side = [&](std::byte* address, bool on_device, std::int64_t stride) {
            Driver::Copy2D::Side one;
            one.memory_type = on_device ? types.device : types.host;
            if (on_device)
                one.device = reinterpret_cast<Driver::Pointer>(address);
            else
                one.host = address;
            one.pitch = size(rows && strip.pieces > 1 ? stride : strip.length);
            return one;
        };
        const Driver::Copy2D copy{side(from, from_device, strip.from_stride),
                                  side(to, !from_device, strip.to_stride), size(strip.length),
                                  size(rows ? strip.pieces : 1)};
        device_.check(device_.driver().copy_2d(&copy, stream), "cuMemcpy2DAsync");
    }
}

}  // namespace carpool::device
