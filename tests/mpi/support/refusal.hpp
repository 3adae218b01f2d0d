// SPDX-License-Identifier: MIT
#pragma once

#include "handles.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

namespace carpool::tests {

/// A user's error handler that counts its calls; it is attached for a scope.
class CountingHandler {
public:
    explicit CountingHandler(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_get_errhandler(comm_, &before_);
        MPI_Comm_create_errhandler(count, &handler_);
        MPI_Comm_set_errhandler(comm_, handler_);
        calls = 0;
        last = MPI_SUCCESS;
    }
    CountingHandler(const CountingHandler&) = delete;
    ~CountingHandler() {
        MPI_Comm_set_errhandler(comm_, before_);
        if (before_ != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&before_);
        MPI_Errhandler_free(&handler_);
    }

    static inline int calls = 0;
    static inline int last = MPI_SUCCESS;

private:
    static void count(MPI_Comm*, int* code, ...) {
        ++calls;
        last = *code;
    }

    MPI_Comm comm_;
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

inline int class_of(int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
#ifdef MPICH_VERSION
    error_class &=
        ~(1 << 30);  // MPICH 4.0 leaves the bit that marks a code with a text in the class
#endif
    return error_class;
}

inline std::string text_of(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return text;
}

/// The expected error: its class, and words that its text must contain.
struct ExpectedError {
    int error_class;
    std::vector<std::string> words;
};

/// Empty if the code is that of the expected error, and its text has the words.
inline std::string mismatch(const ExpectedError& expected_error, int code) {
    if (code == MPI_SUCCESS) return "was accepted";
    const auto text = text_of(code);
    if (class_of(code) != expected_error.error_class)
        return "has the class of '" + text_of(class_of(code)) + "', expected that of '" +
               text_of(expected_error.error_class) + "', and the text: " + text;
    for (const auto& word : expected_error.words)
        if (text.find(word) == std::string::npos) return "does not say '" + word + "': " + text;
    return "";
}

/// Checks on this rank that the call is refused with the expected error, both with an error handler
/// that returns and with a user's error handler, which must be called once, with the code that the
/// call returns.
inline void expect_refusal_here(const std::string& what, MPI_Comm comm,
                                const ExpectedError& expected_error,
                                const std::function<int()>& call) {
    {
        const CountingHandler handler(comm);
        const int code = call();
        const auto fault = mismatch(expected_error, code);
        BOOST_TEST(fault == "", what << ": the error " << fault);
        BOOST_TEST(handler.calls == 1, what << ": handler called " << handler.calls << " times");
        BOOST_TEST(handler.last == code, what << ": the handler got another code");
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const auto fault = mismatch(expected_error, call());
    BOOST_TEST(fault == "", what << " (MPI_ERRORS_RETURN): the error " << fault);
}

/// Checks the same on all ranks, and that the class is the same on all of them.
/// @note Collective over MPI_COMM_WORLD.
inline void expect_refusal(const std::string& what, MPI_Comm comm,
                           const ExpectedError& expected_error, const std::function<int()>& call) {
    int last = MPI_SUCCESS;
    expect_refusal_here(what, comm, expected_error, [&] { return last = call(); });
    BOOST_TEST(same_everywhere(class_of(last)), what << ": the class differs between ranks");
}

}  // namespace carpool::tests
