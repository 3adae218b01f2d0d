// SPDX-License-Identifier: MIT
#pragma once

#include "entry_points.hpp"
#include "exchange_arguments.hpp"
#include "form.hpp"

#include <algorithm>
#include <vector>

namespace carpool::tests {

/// An array argument in the type of one entry point, null when empty. It is overwritten when the
/// call has returned, since Carpool must not read it any more.
template <class To>
class Argument {
public:
    template <class From>
    Argument(const std::vector<From>& values, To scribble) : scribble_(scribble) {
        for (const From& value : values) values_.push_back(static_cast<To>(value));
    }
    Argument(const Argument&) = delete;
    Argument& operator=(const Argument&) = delete;
    ~Argument() { std::fill(values_.begin(), values_.end(), scribble_); }

    const To* array() const { return values_.empty() ? nullptr : values_.data(); }
    To first() const { return values_.at(0); }

private:
    std::vector<To> values_;
    To scribble_;
};

/// The form and the communicator of an exchange, and where its request goes.
struct CallForm {
    Form form;
    MPI_Comm comm;
    MPI_Info info = MPI_INFO_NULL;
    Carpool_Request* request = nullptr;  ///< for the persistent forms
    MPI_Request* once = nullptr;         ///< for the nonblocking forms

    template <class Entry, class... Args>
    int enter(const Entry& entry, Args... args) const {
        const auto& [blocking, nonblocking, init, init_at_once] = entry;
        if (is_blocking(form)) return blocking(args..., comm);
        if (is_nonblocking(form)) return nonblocking(args..., comm, once);
        return (is_background(form) ? init_at_once : init)(args..., comm, info, request);
    }
};

template <class Api>
int make_call_by(const ExchangeArguments& e, const CallForm& to) {
    using Count = typename Api::Count;
    using Displ = typename Api::Displ;
    const Argument<Count> scounts(e.send.counts, -99), rcounts(e.recv.counts, -99);
    const Argument<Displ> sdispls(e.send.displs, -99), rdispls(e.recv.displs, -99);
    const Argument<MPI_Aint> sbytes(e.send.displs, -99), rbytes(e.recv.displs, -99);
    const Argument<MPI_Datatype> stypes(e.send.types, MPI_DATATYPE_NULL),
        rtypes(e.recv.types, MPI_DATATYPE_NULL);
    const void* from = e.send.buffer;
    void* into = e.recv.buffer;
    switch (e.operation) {
        case Operation::alltoall:
            return to.enter(Api::alltoall, from, scounts.first(), stypes.first(), into,
                            rcounts.first(), rtypes.first());
        case Operation::alltoallv:
            return to.enter(Api::alltoallv, from, scounts.array(), sdispls.array(), stypes.first(),
                            into, rcounts.array(), rdispls.array(), rtypes.first());
        case Operation::alltoallw:
            return to.enter(Api::alltoallw, from, scounts.array(), sbytes.array(), stypes.array(),
                            into, rcounts.array(), rbytes.array(), rtypes.array());
        case Operation::allgather:
            return to.enter(Api::allgather, from, scounts.first(), stypes.first(), into,
                            rcounts.first(), rtypes.first());
        case Operation::allgatherv:
            return to.enter(Api::allgatherv, from, scounts.first(), stypes.first(), into,
                            rcounts.array(), rdispls.array(), rtypes.first());
        case Operation::allgatherw:
            return to.enter(Api::allgatherw, from, scounts.first(), stypes.first(), into,
                            rcounts.array(), rbytes.array(), rtypes.array());
    }
    return MPI_ERR_INTERN;
}

/// Calls Carpool's entry point for the operation and form.
inline int make_call(const ExchangeArguments& exchange, const CallForm& form) {
    return is_large(form.form) ? make_call_by<Large>(exchange, form)
                               : make_call_by<Narrow>(exchange, form);
}

}  // namespace carpool::tests
