// SPDX-License-Identifier: MIT
// A driver with the names of CUDA's, whose device is the CPU: memory that programs cannot read
// (Arena), and streams that run early (within the call), late or in another thread. It demands what
// the real one demands: a current context, and memory that a GPU can reach.
//
//     CARPOOL_TEST_STREAMS=early|late|thread   when work is done; early by default
//     CARPOOL_TEST_KERNEL=none                 the driver refuses the kernel
//     CARPOOL_TEST_POOLED=1                    memory belongs to no context

#include "fake_cuda.hpp"

#include "arena.hpp"
#include "device/copy_kernel.hpp"
#include "device/driver.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using carpool::device::Driver;
using carpool::device::Tile;
using carpool::tests::Arena;
using Clock = std::chrono::steady_clock;

enum Result {
    success = 0,
    invalid_value = 1,
    out_of_memory = 2,
    invalid_context = 201,
    invalid_image = 200,
    invalid_handle = 400,
    not_ready = 600
};

bool is_set(const char* name, std::string_view value) {
    const char* const set = std::getenv(name);
    return set != nullptr && set == value;
}

[[noreturn]] void refuse(const char* what) {
    std::fprintf(stderr, "fake CUDA: %s\n", what);
    std::abort();
}

int the_context;
thread_local std::vector<void*> contexts;
std::atomic<int> captured;
char managed[4096];

struct Counts {
    std::atomic<std::int64_t> launches, copies, synchronizations, pinned;
} counts;

/// The ranges of pinned memory.
class PinnedRanges {
public:
    void add(void* memory, std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        ranges_[address(memory)] = bytes;
    }

    /// Returns its bytes; 0 if it is not pinned.
    std::size_t remove(void* memory) {
        const std::lock_guard lock(mutex_);
        const auto found = ranges_.find(address(memory));
        if (found == ranges_.end()) return 0;
        const auto bytes = found->second;
        ranges_.erase(found);
        return bytes;
    }

    bool contain(std::uintptr_t first, std::uintptr_t end) {
        const std::lock_guard lock(mutex_);
        auto behind = ranges_.upper_bound(first);
        if (behind == ranges_.begin()) return false;
        --behind;
        return end <= behind->first + behind->second;
    }

private:
    static std::uintptr_t address(void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

    std::mutex mutex_;
    std::map<std::uintptr_t, std::size_t> ranges_;
} pinned_ranges;

/// A stream.
class Queue {
public:
    void add(std::function<void()> work) {
        if (mode_ == Mode::early) return work();
        const std::lock_guard lock(mutex_);
        if (!thread_started_) std::thread([this] { run(); }).detach();
        thread_started_ = true;
        work_.push_back({std::move(work), Clock::now()});
        changed_.notify_all();
    }

    void finish() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return work_.empty(); });
    }

private:
    enum class Mode { early, late, thread };
    static constexpr std::chrono::microseconds lateness{300};

    [[noreturn]] void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return !work_.empty(); });
            auto& [work, queued] = work_.front();
            lock.unlock();
            if (mode_ == Mode::late) std::this_thread::sleep_until(queued + lateness);
            work();
            lock.lock();
            work_.pop_front();
            changed_.notify_all();
        }
    }

    Mode mode_ = is_set("CARPOOL_TEST_STREAMS", "late")     ? Mode::late
                 : is_set("CARPOOL_TEST_STREAMS", "thread") ? Mode::thread
                                                            : Mode::early;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<std::function<void()>, Clock::time_point>> work_;
    bool thread_started_ = false;
};

/// All streams, of which the first is the legacy default stream. They are never destroyed: their
/// threads may still run.
class Streams {
public:
    Streams() { add(); }

    void* add() {
        const std::lock_guard lock(mutex_);
        return all_.emplace_back(new Queue);
    }

    /// Null if there is no such stream.
    Queue* find(void* stream) {
        const std::lock_guard lock(mutex_);
        if (stream == nullptr) return all_.front();
        const auto found = std::find(all_.begin(), all_.end(), stream);
        return found != all_.end() ? *found : nullptr;
    }

    void finish() {
        std::unique_lock lock(mutex_);
        const auto all = all_;
        lock.unlock();
        for (auto* const one : all) one->finish();
    }

private:
    std::mutex mutex_;
    std::vector<Queue*> all_;
};

Streams& streams() {
    static auto& only = *new Streams;
    return only;
}

/// Puts work on a stream that a call has named.
int put(void* stream, std::function<void()> work) {
    auto* const queue = streams().find(stream);
    if (queue == nullptr) return invalid_handle;
    queue->add(std::move(work));
    return success;
}

struct Event {
    std::atomic<int> recorded = 0, reached = 0;
};

/// The address at which the driver finds what the device finds at this one.
std::uintptr_t reached(std::uintptr_t address, std::uintptr_t bytes) {
    auto& arena = Arena::get();
    if (arena.is_on_device(address)) return arena.seen(address);
    if (!pinned_ranges.contain(address, address + bytes))
        refuse("a GPU cannot reach memory that is neither its own nor pinned");
    return address;
}

/// The same for the pieces of one side of a tile, whose stride may be negative.
std::uint64_t reached(std::uint64_t first, std::int64_t stride, const Tile& tile) {
    const std::uint64_t bytes = tile.words * tile.width;
    const auto last = first + static_cast<std::uint64_t>((tile.pieces - 1) * stride);
    if (first % tile.width != 0 || (tile.pieces > 1 && stride % tile.width != 0))
        refuse("a word is not aligned");
    static_cast<void>(reached(last, bytes));
    return reached(first, bytes);
}

void run_kernel(const Tile* tiles, unsigned count, volatile unsigned* words, unsigned number,
                unsigned blocks) {
    for (unsigned i = 0; i < count; ++i) {
        Tile tile = tiles[i];
        tile.from = reached(tile.from, tile.from_stride, tile);
        tile.to = reached(tile.to, tile.to_stride, tile);
        for (unsigned lane = 0; lane < carpool::device::lanes_of_tile; ++lane)
            copy_tile(tile, lane);
    }
    std::atomic_thread_fence(std::memory_order_release);
    for (unsigned block = 0; block < blocks; ++block) words[block] = number;
}

std::byte* address_of(const Driver::Copy2D::Side& side, std::uintptr_t bytes) {
    const bool on_device = side.memory_type == 2;
    const auto address = on_device ? side.device : reinterpret_cast<std::uintptr_t>(side.host);
    if (on_device != Arena::get().is_on_device(address)) refuse("a copy has a wrong memory type");
    return reinterpret_cast<std::byte*>(reached(address, bytes));
}

int needs_context(const std::function<int()>& call) {
    return contexts.empty() || contexts.back() != &the_context ? invalid_context : call();
}

int synchronized() {
    ++counts.synchronizations;
    streams().finish();
    return success;
}

}  // namespace

extern "C" {

// ---- what tests use ----

void* fake_cuda_allocate(std::size_t bytes) {
    auto* const memory = Arena::get().allocate(bytes);
    return memory != nullptr ? fake_cuda_on_device(memory) : nullptr;
}

void fake_cuda_free(void* memory) {
    Arena::get().free(static_cast<std::byte*>(fake_cuda_seen_by_test(memory)));
}

void* fake_cuda_seen_by_test(void* on_device) {
    const auto address = reinterpret_cast<std::uintptr_t>(on_device);
    auto& arena = Arena::get();
    return arena.is_on_device(address) ? reinterpret_cast<void*>(arena.seen(address)) : on_device;
}

void* fake_cuda_on_device(const void* seen_by_test) {
    const auto address = reinterpret_cast<std::uintptr_t>(seen_by_test);
    auto& arena = Arena::get();
    return reinterpret_cast<void*>(arena.is_seen(address) ? arena.on_device(address) : address);
}

void* fake_cuda_managed() { return managed; }

void* fake_cuda_stream() { return streams().add(); }

void fake_cuda_launch(void* stream, void (*work)(void*), void* argument) {
    if (put(stream, [=] { work(argument); }) != success) refuse("no such stream");
}

void fake_cuda_capture(void*, int captures) { captured = captures; }

void fake_cuda_finish() { streams().finish(); }

FakeCudaCounts fake_cuda_counts() {
    return {counts.launches, counts.copies, counts.synchronizations, counts.pinned};
}

// ---- what tests in Python use, as cuda.h declares it ----

int cuInit(unsigned) { return success; }

int cuMemAlloc_v2(std::uintptr_t* memory, std::size_t bytes) {
    if (bytes == 0) return invalid_value;
    return needs_context([&] {
        *memory = reinterpret_cast<std::uintptr_t>(fake_cuda_allocate(bytes));
        return *memory != 0 ? int{success} : int{out_of_memory};
    });
}

int cuMemFree_v2(std::uintptr_t memory) {
    return needs_context([&] {
        streams().finish();
        fake_cuda_free(reinterpret_cast<void*>(memory));
        return int{success};
    });
}

/// Copies what is there, unlike the real one not behind all that was launched before: so a test
/// sees whether the library has waited.
int cuMemcpyDtoH_v2(void* to, std::uintptr_t from, std::size_t bytes) {
    return needs_context([&] {
        std::memcpy(to, reinterpret_cast<void*>(reached(from, bytes)), bytes);
        return int{success};
    });
}

int cuMemcpyHtoD_v2(std::uintptr_t to, const void* from, std::size_t bytes) {
    return needs_context([&] {
        std::memcpy(reinterpret_cast<void*>(reached(to, bytes)), from, bytes);
        return int{success};
    });
}

// ---- what the library uses, as cuda.h declares it ----

int cuPointerGetAttribute(void* value, int attribute, std::uintptr_t pointer) {
    const bool is_managed = pointer - reinterpret_cast<std::uintptr_t>(managed) < sizeof managed;
    if (!is_managed && !Arena::get().is_on_device(pointer)) return invalid_value;
    if (attribute == 1)
        *static_cast<void**>(value) = is_set("CARPOOL_TEST_POOLED", "1") ? nullptr : &the_context;
    if (attribute == 2) *static_cast<unsigned*>(value) = 2;
    if (attribute == 8) *static_cast<bool*>(value) = is_managed;
    if (attribute == 9) *static_cast<int*>(value) = 0;
    return success;
}

int cuCtxPushCurrent_v2(void* context) {
    contexts.push_back(context);
    return success;
}

int cuCtxPopCurrent_v2(void** context) {
    if (contexts.empty()) return invalid_context;
    *context = contexts.back();
    contexts.pop_back();
    return success;
}

int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return success;
}

int cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &the_context;
    return success;
}

int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    return needs_context([&] {
        *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        std::memset(*memory, 0xA5, bytes);
        pinned_ranges.add(*memory, bytes);
        counts.pinned += static_cast<std::int64_t>(bytes);
        return int{success};
    });
}

int cuMemFreeHost(void* memory) {
    return needs_context([&] {
        const auto bytes = pinned_ranges.remove(memory);
        if (bytes == 0) return int{invalid_value};
        counts.pinned -= static_cast<std::int64_t>(bytes);
        std::free(memory);
        return int{success};
    });
}

int cuModuleLoadData(void** module, const void* image) {
    if (is_set("CARPOOL_TEST_KERNEL", "none")) return invalid_image;
    static int loaded;
    *module = &loaded;
    const bool has_kernel =
        std::strstr(static_cast<const char*>(image), ".entry carpool_copy(") != nullptr;
    return needs_context([&] { return has_kernel ? int{success} : int{invalid_image}; });
}

int cuModuleGetFunction(void** function, void* module, const char* name) {
    *function = module;
    return std::string_view(name) == "carpool_copy" ? success : invalid_value;
}

int cuLaunchKernel(void*, unsigned blocks, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, void* stream, void** arguments, void**) {
    return needs_context([&] {
        auto* const tiles = *static_cast<Tile**>(arguments[0]);
        const auto count = *static_cast<unsigned*>(arguments[1]);
        auto* const words = *static_cast<volatile unsigned**>(arguments[2]);
        const auto number = *static_cast<unsigned*>(arguments[3]);
        static_cast<void>(reached(reinterpret_cast<std::uintptr_t>(tiles), count * sizeof(Tile)));
        static_cast<void>(
            reached(reinterpret_cast<std::uintptr_t>(words), blocks * sizeof(unsigned)));
        ++counts.launches;
        return put(stream, [=] { run_kernel(tiles, count, words, number, blocks); });
    });
}

int cuMemcpy2DAsync_v2(const Driver::Copy2D* given, void* stream) {
    return needs_context([&] {
        const auto copy = *given;
        if (copy.from.pitch < copy.width || copy.to.pitch < copy.width) return int{invalid_value};
        auto* const from = address_of(copy.from, copy.from.pitch * (copy.height - 1) + copy.width);
        auto* const to = address_of(copy.to, copy.to.pitch * (copy.height - 1) + copy.width);
        ++counts.copies;
        return put(stream, [=] {
            for (std::size_t row = 0; row < copy.height; ++row)
                std::memcpy(to + row * copy.to.pitch, from + row * copy.from.pitch, copy.width);
        });
    });
}

int cuEventCreate(void** event, unsigned) {
    return needs_context([&] {
        *event = new Event;
        return int{success};
    });
}

int cuEventRecord(void* recorded, void* stream) {
    return needs_context([&] {
        auto* const event = static_cast<Event*>(recorded);
        const int number = ++event->recorded;
        return put(stream, [=] { event->reached = number; });
    });
}

int cuEventQuery(void* queried) {
    const auto* const event = static_cast<Event*>(queried);
    return event->reached == event->recorded ? success : not_ready;
}

int cuEventDestroy_v2(void* event) {
    streams().finish();
    delete static_cast<Event*>(event);
    return success;
}

int cuStreamIsCapturing(void*, int* status) {
    *status = captured;
    return success;
}

int cuCtxSynchronize() { return synchronized(); }
int cuStreamSynchronize(void*) { return synchronized(); }
int cuEventSynchronize(void*) { return synchronized(); }
}
