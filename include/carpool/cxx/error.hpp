// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/carpool.h>

#include <stdexcept>
#include <string>

namespace carpool {

/// The error that a call of Carpool or MPI has returned. what() is MPI's text, which names the
/// function.
///
/// A function first calls the error handler of its communicator, and throws if the handler returns.
/// Communicators that these classes make have the handler MPI_ERRORS_RETURN. Other communicators,
/// also MPI_COMM_WORLD and MPI_COMM_SELF, have a handler that ends the program, unless the program
/// has set another: see ErrorsReturn.
class Error : public std::runtime_error {
public:
    Error(int code, const char* call)
        : std::runtime_error(text_of(code, call)), code_(code), call_(call) {}

    /// An error of which C++ knows more than MPI's text says.
    Error(int code, const std::string& call, const std::string& text)
        : std::runtime_error(call + ": " + text), code_(code), call_(call) {}

    /// The error code.
    int code() const noexcept { return code_; }
    /// The name of the function that has failed.
    const std::string& call() const noexcept { return call_; }

    /// The error class of the code, such as MPI_ERR_ARG.
    int error_class() const {
        int error_class = MPI_ERR_UNKNOWN;
        MPI_Error_class(code_, &error_class);
#ifdef MPICH_VERSION
        error_class &= ~(1 << 30);  // the mark of a code with a text, which MPICH 4.0 leaves
#endif
        return error_class;
    }

private:
    static std::string text_of(int code, const std::string& call) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        const std::string said(text, static_cast<std::size_t>(length));
        return said.starts_with("Carpool_") ? said : call + ": " + said;
    }

    int code_;
    std::string call_;
};

namespace detail {

[[noreturn]] inline void fail(int code, const char* call) { throw Error(code, call); }

}  // namespace detail

/// Throws an Error unless code is MPI_SUCCESS.
inline void check(int code, const char* call) {
    if (code != MPI_SUCCESS) [[unlikely]]
        detail::fail(code, call);
}

/// The same. @param mistake  what the error says in place of MPI's text; empty for that text
inline void check(int code, const char* call, const std::string& mistake) {
    if (code != MPI_SUCCESS && !mistake.empty()) throw Error(code, call, mistake);
    check(code, call);
}

}  // namespace carpool
