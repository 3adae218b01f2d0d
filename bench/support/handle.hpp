// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/carpool.h>
#include <mpi.h>

#include <optional>
#include <utility>

namespace bench {

/// Owns one MPI or Carpool object; the destructor only releases it.
template <class T, int (*release)(T*)>
class Handle {
public:
    Handle() = default;
    explicit Handle(T value) : value_(value) {}
    Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, std::nullopt)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Handle() {
        if (value_) release(&*value_);
    }

    /// @pre holds an object
    T get() const { return *value_; }
    T* address() { return &*value_; }

private:
    std::optional<T> value_;
};

using Communicator = Handle<MPI_Comm, MPI_Comm_free>;
using Info = Handle<MPI_Info, MPI_Info_free>;
using HostRequest = Handle<MPI_Request, MPI_Request_free>;
using CarpoolRequest = Handle<Carpool_Request, Carpool_Request_free>;

}  // namespace bench
