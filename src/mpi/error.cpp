// SPDX-License-Identifier: MIT
#include "mpi/error.hpp"

#include "mpi/use.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace carpool::mpi {
namespace {

// Open MPI's limit is 256 characters with the final zero, MPICH's 512.
constexpr std::size_t longest_text = std::min(255, MPI_MAX_ERROR_STRING - 1);

/// The user's handler of a communicator, and how many objects have the errors there returned.
struct UsersHandler {
    int objects = 0;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
};

std::mutex exchanged_mutex;

std::map<MPI_Comm, UsersHandler>& exchanged() {
    static auto* const all = new std::map<MPI_Comm, UsersHandler>;  // lives on after main
    return *all;
}

std::mutex codes_mutex;

std::map<int, int>& code_of_class() {
    static auto* const codes = new std::map<int, int>;  // lives on after main
    return *codes;
}

/// Returns the code in the form for which a text is found. MPICH 4.0 marks codes with a text by a
/// bit, and drops the bit if the class is one of MPI's. With the bit the text is found, but the
/// class is no longer MPI's.
int with_text(int code) {
#ifdef MPICH_VERSION
    constexpr int mark = 1 << 30;
    const std::string said = "Carpool";
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Add_error_string(code, said.c_str());
    MPI_Error_string(code, text, &length);
    if (std::string(text, static_cast<std::size_t>(length)) != said) return code | mark;
#endif
    return code;
}

}  // namespace

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    int error_class = MPI_ERR_OTHER;
    MPI_Error_string(code, text, &length);
    MPI_Error_class(code, &error_class);
    throw Error(error_class, std::string(call) + " failed on rank " + std::to_string(Use::rank()) +
                                 ": " + std::string(text, static_cast<std::size_t>(length)));
}

Error error_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return {MPI_ERR_NO_MEM, "out of memory"};
    } catch (const std::exception& error) {
        return {MPI_ERR_OTHER, error.what()};
    }
}

/// The first of several threads exchanges the user's handler, and the last restores it.
ReturnedErrors::ReturnedErrors(MPI_Comm comm) : comm_(comm) {
    const std::lock_guard lock(exchanged_mutex);
    auto& [objects, handler] = exchanged()[comm];
    if (objects++ > 0) return;
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

ReturnedErrors::~ReturnedErrors() {
    const std::lock_guard lock(exchanged_mutex);
    const auto found = exchanged().find(comm_);
    if (--found->second.objects > 0) return;
    MPI_Comm_set_errhandler(comm_, found->second.handler);
    MPI_Errhandler_free(&found->second.handler);
    exchanged().erase(found);
}

void check_at_least(const std::string& name, std::int64_t value, std::int64_t least,
                    int error_class) {
    if (value < least)
        throw Error(error_class, name + " is " + std::to_string(value) + ", expected at least " +
                                     std::to_string(least));
}

int error_code(int error_class, const std::string& text) {
    const std::lock_guard lock(codes_mutex);
    auto found = code_of_class().find(error_class);
    if (found == code_of_class().end()) {
        int code = MPI_ERR_OTHER;
        if (MPI_Add_error_code(error_class, &code) != MPI_SUCCESS) return error_class;
        found = code_of_class().emplace(error_class, with_text(code)).first;
    }
    const auto brief = text.substr(0, longest_text);
    MPI_Add_error_string(found->second, brief.c_str());
    return found->second;
}

void forget_error_codes() {
    const std::lock_guard lock(codes_mutex);
    code_of_class().clear();
}

}  // namespace carpool::mpi
