// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/ranks.hpp>
#include <utility>

namespace carpool {

namespace detail {

/// Sets the error handler to MPI_ERRORS_RETURN, so that errors on the communicator are exceptions.
inline Owned<CommKind> with_errors_returned(Owned<CommKind> comm) {
    check(MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return comm;
}

}  // namespace detail

/// A communicator with its collectives, which the destructor frees. Errors on it are exceptions.
class Communicator : public Ranks {
public:
    /// Takes over the ownership of comm. Its error handler becomes MPI_ERRORS_RETURN.
    explicit Communicator(MPI_Comm comm)
        : Communicator(detail::with_errors_returned(detail::Owned<detail::CommKind>(comm))) {}

    /// Duplicates a communicator by MPI_Comm_dup. @note Collective over comm.
    static Communicator duplicate_of(MPI_Comm comm) {
        detail::Owned<detail::CommKind> duplicate;
        check(MPI_Comm_dup(comm, duplicate.address()), "MPI_Comm_dup");
        return Communicator(detail::with_errors_returned(std::move(duplicate)));
    }

private:
    explicit Communicator(detail::Owned<detail::CommKind> comm)
        : Ranks(comm.get()), owned_(std::move(comm)) {}

    detail::Owned<detail::CommKind> owned_;
};

}  // namespace carpool
