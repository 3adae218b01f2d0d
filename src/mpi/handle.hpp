// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <utility>

namespace carpool::mpi {

/// Has MPI ended, so that no handle can be freed any more?
bool finalized();

/// Owns an MPI handle and frees it unless MPI has ended. Kind provides Raw, null() and free().
template <typename Kind>
class Handle {
public:
    using Raw = typename Kind::Raw;

    Handle() = default;
    explicit Handle(Raw raw) : raw_(raw) {}
    Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, Kind::null())) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~Handle() {
        if (raw_ != Kind::null() && !finalized()) Kind::free(&raw_);
    }

    Raw get() const { return raw_; }
    Raw* out() { return &raw_; }  ///< for the MPI call that makes the handle
    Raw release() { return std::exchange(raw_, Kind::null()); }

private:
    Raw raw_ = Kind::null();
};

struct CommKind {
    using Raw = MPI_Comm;
    static Raw null() { return MPI_COMM_NULL; }
    static void free(Raw* raw) { MPI_Comm_free(raw); }
};

struct DatatypeKind {
    using Raw = MPI_Datatype;
    static Raw null() { return MPI_DATATYPE_NULL; }
    static void free(Raw* raw) { MPI_Type_free(raw); }
};

struct RequestKind {
    using Raw = MPI_Request;
    static Raw null() { return MPI_REQUEST_NULL; }
    static void free(Raw* raw) { MPI_Request_free(raw); }
};

struct OpKind {
    using Raw = MPI_Op;
    static Raw null() { return MPI_OP_NULL; }
    static void free(Raw* raw) { MPI_Op_free(raw); }
};

struct GroupKind {
    using Raw = MPI_Group;
    static Raw null() { return MPI_GROUP_NULL; }
    static void free(Raw* raw) { MPI_Group_free(raw); }
};

struct InfoKind {
    using Raw = MPI_Info;
    static Raw null() { return MPI_INFO_NULL; }
    static void free(Raw* raw) { MPI_Info_free(raw); }
};

using Comm = Handle<CommKind>;
using Datatype = Handle<DatatypeKind>;
using Request = Handle<RequestKind>;
using Op = Handle<OpKind>;
using Group = Handle<GroupKind>;
using Info = Handle<InfoKind>;

}  // namespace carpool::mpi
