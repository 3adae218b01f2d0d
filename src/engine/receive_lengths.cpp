// SPDX-License-Identifier: MIT
#include "engine/receive_lengths.hpp"

#include "mpi/error.hpp"

#include <string>

namespace carpool::engine {
namespace {

std::int64_t length_of(const MPI_Status& status) {
    int length = 0;
    mpi::check(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
    if (length != MPI_UNDEFINED) return length;
    MPI_Count large = 0;
    mpi::check(MPI_Get_elements_x(&status, MPI_BYTE, &large), "MPI_Get_elements_x");
    return large;
}

/// Throws unless the test succeeded or the message was longer than its receive.
void check_fits(int code) {
    if (code == MPI_SUCCESS) return;
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    if (error_class != MPI_ERR_TRUNCATE) mpi::check(code, "MPI_Test");
}

mpi::Error unexpected(int source, std::int64_t sent, int target, const std::string& expected) {
    return {MPI_ERR_ARG, "rank " + std::to_string(source) + " sends " +
                             (sent < 0 ? "more" : std::to_string(sent)) + " bytes to rank " +
                             std::to_string(target) + ", which expects " + expected};
}

}  // namespace

mpi::Error wrong_length(int source, std::int64_t sent, int target, std::int64_t expected) {
    return unexpected(source, sent, target, std::to_string(expected) + " bytes");
}

mpi::Error wrong_length(int source, std::int64_t sent, int target, const mpi::Shape& expected) {
    return unexpected(source, sent, target, text_of(expected));
}

void check_length(const Transfer& receive, int rank, std::int64_t length) {
    if (receive.least_bytes <= length && length <= receive.bytes) return;
    throw wrong_length(receive.peer, length, rank, receive.bytes);
}

void check_length(const Transfer& receive, int rank, const MPI_Status& status, int code) {
    check_fits(code);
    check_length(receive, rank, code == MPI_SUCCESS ? length_of(status) : -1);
}

}  // namespace carpool::engine
