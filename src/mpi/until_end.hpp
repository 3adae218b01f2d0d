// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/attribute.hpp"
#include "mpi/use.hpp"

#include <memory>
#include <mutex>

namespace carpool::mpi {

/// The object of a type that this process has in one use of MPI, as an attribute of its own
/// communicator: the end of the use destroys it. An object that is asked for even later belongs to
/// the caller. Any thread may call this.
template <typename T>
std::shared_ptr<T> until_end() {
    static std::mutex mutex;
    static auto& latest = *new std::weak_ptr<T>;  // lives on after main
    static int attached_in = 0;
    const std::lock_guard lock(mutex);
    const bool attached = attached_in == Use::number();
    if (auto one = latest.lock(); one && attached) return one;
    auto one = std::make_shared<T>();
    if (!attached) Attribute<T>::attach(Use::own_comm(), one);
    attached_in = Use::number();
    latest = one;
    return one;
}

}  // namespace carpool::mpi
