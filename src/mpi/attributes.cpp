// SPDX-License-Identifier: MIT
#include "mpi/attributes.hpp"

#include "mpi/error.hpp"
#include "mpi/known_comms.hpp"
#include "mpi/use.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::mpi {
namespace {

/// No exception may leave a callback of MPI.
template <typename Body>
int guarded(Body body) {
    try {
        body();
        return MPI_SUCCESS;
    } catch (const Error& error) {
        return error_code(error.error_class(), error.what());
    } catch (const std::exception& error) {
        return error_code(MPI_ERR_INTERN, error.what());
    }
}

}  // namespace

Attributes* Attributes::of(MPI_Comm comm) {
    auto* const known = latest(comm);
    return known != nullptr ? known : stored(comm);
}

Attributes* Attributes::of_any(MPI_Comm comm) {
    if (auto* const known = latest(comm)) return known;
    return KnownComms::live(comm) ? stored(comm) : nullptr;
}

Attributes& Attributes::made(MPI_Comm comm) {
    if (auto* const known = of(comm)) return *known;
    static std::mutex mutex;  // several threads may be the first on the process's own communicator
    std::unique_lock lock(mutex, std::defer_lock);
    if (comm == Use::own_comm()) lock.lock();
    if (auto* const known = of(comm)) return *known;
    auto fresh = std::make_unique<Attributes>();
    check(MPI_Comm_set_attr(comm, keyval(), fresh.get()), "MPI_Comm_set_attr");
    return *fresh.release();  // MPI's callback owns it now
}

Attributes* Attributes::latest(MPI_Comm comm) {
    for (const auto& one : latest_)
        if (one.comm == comm && one.attributes != nullptr) return one.attributes;
    return nullptr;
}

Attributes* Attributes::stored(MPI_Comm comm) {
    const int key = keyval_;
    if (key == MPI_KEYVAL_INVALID) return nullptr;
    void* value = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(comm, key, &value, &found), "MPI_Comm_get_attr");
    if (found == 0) return nullptr;
    auto* const attributes = static_cast<Attributes*>(value);
    KnownComms::add(comm);
    if (base::Mutex::expects_one_thread()) latest_[next_++ % latest_.size()] = {comm, attributes};
    return attributes;
}

void Attributes::forget(const Attributes* freed) {
    std::ranges::replace_if(
        latest_, [&](const Latest& one) { return one.attributes == freed; }, Latest{});
}

Attributes::Object Attributes::find(const Type* type) const {
    const std::lock_guard lock(mutex_);
    const auto* const object = look_up(type);
    return object != nullptr ? *object : nullptr;
}

void* Attributes::peek(const Type* type) const {
    const std::lock_guard lock(mutex_);
    const auto* const object = look_up(type);
    return object != nullptr ? object->get() : nullptr;
}

Attributes::Object Attributes::kept(const Type* type, Object object) {
    const std::lock_guard lock(mutex_);
    if (const auto* const before = look_up(type)) return *before;
    return entries_.emplace_back(type, std::move(object)).second;
}

void Attributes::put(const Type* type, Object object) {
    if (const auto before = taken(type)) type->freed(before);
    kept(type, std::move(object));
}

const Attributes::Object* Attributes::look_up(const Type* type) const {
    const auto found = std::ranges::find(entries_, type, &Entry::first);
    return found != entries_.end() ? &found->second : nullptr;
}

Attributes::Object Attributes::taken(const Type* type) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(entries_, type, &Entry::first);
    if (found == entries_.end()) return nullptr;
    auto object = std::move(found->second);
    entries_.erase(found);
    return object;
}

const Attributes::Type* Attributes::last_type() const {
    const std::lock_guard lock(mutex_);
    return entries_.empty() ? nullptr : entries_.back().first;
}

/// The first attributes are those of the process's own communicator, so no second thread comes here
/// at the same time.
int Attributes::keyval() {
    if (keyval_ != MPI_KEYVAL_INVALID) return keyval_;
    int made = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(copy, destroy, &made, nullptr), "MPI_Comm_create_keyval");
    return keyval_ = made;
}

/// MPI may give the same number to another key when it begins again.
void Attributes::free_keyval() {
    int key = keyval_.exchange(MPI_KEYVAL_INVALID);
    MPI_Comm_free_keyval(&key);
}

int Attributes::copy(MPI_Comm, int, void*, void* value, void* copied, int* keep) {
    return guarded([&] {
        auto duplicate = static_cast<const Attributes*>(value)->duplicated();
        *keep = duplicate->entries_.empty() ? 0 : 1;
        if (*keep != 0) *static_cast<Attributes**>(copied) = duplicate.release();
    });
}

/// The latest object goes first, as MPI frees the attributes of MPI_COMM_SELF. Meanwhile other
/// objects may be looked up, and new ones may be made.
int Attributes::destroy(MPI_Comm comm, int, void* value, void*) {
    std::unique_ptr<Attributes> attributes(static_cast<Attributes*>(value));
    int code = MPI_SUCCESS;
    while (const auto* const type = attributes->last_type()) {
        const auto object = attributes->taken(type);
        const int failure = guarded([&] { type->freed(object); });
        if (code == MPI_SUCCESS) code = failure;
    }
    forget(attributes.get());
    KnownComms::remove(comm);
    attributes.reset();
    if (alive_ == 0) free_keyval();
    return code;
}

std::unique_ptr<Attributes> Attributes::duplicated() const {
    std::unique_lock lock(mutex_);
    const auto entries = entries_;
    lock.unlock();
    auto duplicate = std::make_unique<Attributes>();
    for (const auto& [type, object] : entries)
        if (auto one = type->duplicated(object))
            duplicate->entries_.emplace_back(type, std::move(one));
    return duplicate;
}

}  // namespace carpool::mpi
