// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/error.hpp>
#include <utility>

namespace carpool::detail {

/// False after MPI_Finalize. A program by sessions alone calls neither that nor MPI_Init, so there
/// this is true.
inline bool mpi_runs() {
    int ended = 0;
    MPI_Finalized(&ended);
    return ended == 0;
}

/// A handle that the destructor frees, unless MPI has ended before.
/// @tparam Kind  gives the null handle and the function that frees a handle
template <typename Kind>
class Owned {
public:
    using Handle = typename Kind::Handle;

    Owned() : handle_(Kind::none()) {}
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(other.release()) {}
    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) {
            reset();
            handle_ = other.release();
        }
        return *this;
    }
    ~Owned() { reset(); }

    Handle get() const { return handle_; }
    bool empty() const { return handle_ == Kind::none(); }
    /// For calls that set or change the handle.
    Handle* address() { return &handle_; }
    Handle release() { return std::exchange(handle_, Kind::none()); }

    void reset() noexcept {
        if (!empty() && mpi_runs()) Kind::give_back(&handle_);
        handle_ = Kind::none();
    }

private:
    Handle handle_;
};

struct CommKind {
    using Handle = MPI_Comm;
    static Handle none() { return MPI_COMM_NULL; }
    static void give_back(Handle* comm) { MPI_Comm_free(comm); }
};

struct InfoKind {
    using Handle = MPI_Info;
    static Handle none() { return MPI_INFO_NULL; }
    static void give_back(Handle* info) { MPI_Info_free(info); }
};

struct DatatypeKind {
    using Handle = MPI_Datatype;
    static Handle none() { return MPI_DATATYPE_NULL; }
    static void give_back(Handle* type) { MPI_Type_free(type); }
};

struct DeliveryKind {
    using Handle = Carpool_Delivery;
    static Handle none() { return CARPOOL_DELIVERY_NULL; }
    static void give_back(Handle* delivery) { Carpool_Delivery_free(delivery); }
};

/// Waits for an exchange that is under way before it frees the request.
struct RequestKind {
    using Handle = Carpool_Request;
    static Handle none() { return CARPOOL_REQUEST_NULL; }
    static void give_back(Handle* request) {
        Carpool_Wait(request, MPI_STATUS_IGNORE);
        Carpool_Request_free(request);
    }
};

struct PendingKind {
    using Handle = MPI_Request;
    static Handle none() { return MPI_REQUEST_NULL; }
    static void give_back(Handle* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }
};

}  // namespace carpool::detail
