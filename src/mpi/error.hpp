// SPDX-License-Identifier: MIT
#pragma once

#include "base/element.hpp"

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace carpool::mpi {

/// A failure to be reported as an MPI error of the given class.
class Error : public std::runtime_error {
public:
    Error(int error_class, const std::string& text)
        : std::runtime_error(text), error_class_(error_class) {}

    int error_class() const { return error_class_; }

    /// This error, marked as thrown before the call sent any message.
    Error before_messages() const {
        Error error = *this;
        error.before_messages_ = true;
        return error;
    }
    bool is_before_messages() const { return before_messages_; }

private:
    int error_class_;
    bool before_messages_ = false;
};

/// An Error that one rank has found, as all ranks receive it.
struct Mistake {
    int rank;
    int error_class;
    std::string text;

    Error error() const { return {error_class, "rank " + std::to_string(rank) + ": " + text}; }
};

/// Returns the Error that the body throws, or nothing. Memory that runs out is an MPI_ERR_NO_MEM.
template <typename Body>
std::optional<Error> mistake_in(Body body) {
    try {
        body();
        return {};
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(MPI_ERR_NO_MEM, "out of memory");
    }
}

/// Converts an exception to an Error. @pre failure is not null
Error error_of(const std::exception_ptr& failure);

/// Throws an Error that names the call and the rank unless code is MPI_SUCCESS.
void check(int code, const char* call);

/// Lets calls of the library's own on a user's communicator return their errors as long as it
/// lives, instead of calling the user's error handler, which may end the job: what they were for
/// can be done otherwise.
class ReturnedErrors {
public:
    explicit ReturnedErrors(MPI_Comm comm);
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;
    ~ReturnedErrors();

private:
    MPI_Comm comm_;
};

using base::element;

/// Throws an Error of that class, which names the value, if it is less than `least`.
void check_at_least(const std::string& name, std::int64_t value, std::int64_t least,
                    int error_class);

/// Returns an MPI error code of that class whose MPI_Error_string is the text. Texts of one class
/// replace each other, because error codes are a bounded resource.
int error_code(int error_class, const std::string& text);

/// Called when MPI ends, which forgets the codes.
void forget_error_codes();

}  // namespace carpool::mpi
