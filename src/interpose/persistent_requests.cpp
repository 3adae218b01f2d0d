// SPDX-License-Identifier: MIT
#include "interpose/persistent_requests.hpp"

#include "api/guarded.hpp"
#include "mpi/error.hpp"
#include "mpi/status.hpp"
#include "report/profile.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::interpose {

template <typename Body>
int PersistentRequest::reported(Body body) {
    return api::reported_on(maker_, [this] { return request_->comm(); }, body);
}

int PersistentRequest::start() {
    return reported([this] {
        if (request_->active())
            throw mpi::Error(MPI_ERR_REQUEST, "request is active, expected an inactive request");
        request_->start();
    });
}

int PersistentRequest::wait(MPI_Status* status) {
    if (lent_ != MPI_REQUEST_NULL) return PMPI_Wait(&lent_, status);
    return reported([&] {
        request_->wait();
        mpi::set_empty(status);
    });
}

int PersistentRequest::test(int* flag, MPI_Status* status) {
    if (lent_ != MPI_REQUEST_NULL) return PMPI_Test(&lent_, flag, status);
    *flag = 1;  // also where it has failed: a loop of tests must see that
    return reported([&] {
        *flag = request_->test() ? 1 : 0;
        if (*flag != 0) mpi::set_empty(status);
    });
}

int PersistentRequest::get_status(int* flag, MPI_Status* status) {
    if (lent_ != MPI_REQUEST_NULL) return PMPI_Request_get_status(lent_, flag, status);
    return reported([&] {
        *flag = !request_->active() || request_->over() ? 1 : 0;
        if (*flag != 0) mpi::set_empty(status);
    });
}

MPI_Request PersistentRequest::for_mpi() {
    if (lent_ == MPI_REQUEST_NULL && request_->active()) lent_ = request_->lend(maker_);
    return lent_;
}

void PersistentRequest::leave_to_mpi() {
    reported([this] {
        for_mpi();
        PMPI_Request_free(&lent_);
    });
}

namespace {

/// The host reuses handles, so there are never more of them than there were requests at one time. A
/// slot keeps its handle for ever.
class Table {
public:
    explicit Table(std::size_t slots) : slots_(slots) {}

    /// The slot of a request; null if the table does not hold it and is full. @param add  takes a
    /// slot for a request that the table does not hold
    std::atomic<PersistentRequest*>* slot_of(std::uint64_t handle, bool add) {
        const auto mask = slots_.size() - 1;
        for (auto i = hash(handle) & mask;; i = (i + 1) & mask) {
            auto& slot = slots_[i];
            const auto key = slot.handle.load(std::memory_order_acquire);
            if (key == handle) return &slot.request;
            if (key != none) continue;
            if (!add || 2 * ++used_ > slots_.size()) return nullptr;
            slot.handle.store(handle, std::memory_order_release);
            return &slot.request;
        }
    }

    /// A table of twice the size with the same requests.
    std::unique_ptr<Table> doubled() const {
        auto larger = std::make_unique<Table>(2 * slots_.size());
        for (const auto& slot : slots_)
            if (slot.handle != none) *larger->slot_of(slot.handle, true) = slot.request.load();
        return larger;
    }

private:
    static constexpr std::uint64_t none = 0;
    static std::size_t hash(std::uint64_t handle) {
        return static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15) >> 32);
    }

    struct Slot {
        std::atomic<std::uint64_t> handle = none;
        std::atomic<PersistentRequest*> request = nullptr;
    };

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

std::uint64_t bits_of(MPI_Request handle) {
    std::uint64_t bits = 0;
    static_assert(sizeof handle <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}

std::mutex changing;
std::vector<std::unique_ptr<Table>>& tables() {  // all but the last are kept for threads that read
    static auto* const all = new std::vector<std::unique_ptr<Table>>;
    return *all;
}
std::atomic<Table*> table = nullptr;

void grow() {
    auto& all = tables();
    all.push_back(all.empty() ? std::make_unique<Table>(64) : all.back()->doubled());
    table.store(all.back().get(), std::memory_order_release);
}

bool requests_arrive = false;

}  // namespace

bool PersistentRequests::all_calls_arrive() { return requests_arrive; }

PersistentRequest* PersistentRequests::look_up(MPI_Request handle) {
    auto* const now = table.load(std::memory_order_acquire);
    if (now == nullptr) return nullptr;
    const auto* const slot = now->slot_of(bits_of(handle), false);
    auto* const request = slot != nullptr ? slot->load(std::memory_order_acquire) : nullptr;
    return request != nullptr && request->is_current() ? request : nullptr;
}

void PersistentRequests::put_behind(MPI_Request handle, std::unique_ptr<engine::Request> request,
                                    const char* maker) {
    auto made = std::make_unique<PersistentRequest>(std::move(request), maker);
    const std::lock_guard lock(changing);
    if (table.load() == nullptr) grow();
    auto* slot = table.load()->slot_of(bits_of(handle), true);
    for (; slot == nullptr; slot = table.load()->slot_of(bits_of(handle), true)) grow();
    slot->store(made.release(), std::memory_order_release);
    ++alive_;
}

void PersistentRequests::remove(MPI_Request handle) {
    auto* const request = find(handle);
    if (request == nullptr) return;
    const std::lock_guard lock(changing);
    table.load()->slot_of(bits_of(handle), false)->store(nullptr);
    --alive_;
    if (!request->active()) return delete request;
    request->leave_to_mpi();  // and it is never destroyed, since MPI calls it at its end
}

}  // namespace carpool::interpose

#pragma GCC visibility push(default)
/// Called by the library that is loaded with the program (preload/): whether all functions of MPI
/// that start, complete and free requests are its own in this program.
extern "C" void carpool_set_requests_arrive(int arrive) {
    carpool::interpose::requests_arrive = arrive != 0;
    carpool::report::Profile::expect_unchanged_program();
}
#pragma GCC visibility pop
