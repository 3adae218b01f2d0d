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

/// What has come does not fit, or something else is wrong.
void check_fits(int code) {
    if (code == MPI_SUCCESS) return;
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    if (error_class != MPI_ERR_TRUNCATE) mpi::check(code, "MPI_Test");
}

}  // namespace

mpi::Error wrong_length(int source, std::int64_t sent, int target, std::int64_t expected) {
    return {MPI_ERR_ARG, "rank " + std::to_string(source) + " sends " +
                             (sent < 0 ? "more" : std::to_string(sent)) + " bytes to rank " +
                             std::to_string(target) + ", which expects " +
                             std::to_string(expected) + " bytes"};
}

ReceiveLengths::ReceiveLengths(const TransferList& transfers, int rank)
    : rank_(rank), expected_(transfers.receives.size()) {
    for (std::size_t r = 0; r < transfers.receives.size(); ++r) {
        const auto& transfer = transfers.receives[r];
        expected_[static_cast<std::size_t>(transfers.order[r])] = {transfer.peer, transfer.bytes,
                                                                   transfer.least_bytes};
    }
}

void ReceiveLengths::check(std::size_t watched, const MPI_Status& status, int code) const {
    check_fits(code);
    check(watched, code == MPI_SUCCESS ? length_of(status) : -1);
}

void ReceiveLengths::check(std::size_t watched, std::int64_t length) const {
    const auto& [peer, bytes, least] = expected_[watched];
    if (least <= length && length <= bytes) return;
    throw wrong_length(peer, length, rank_, bytes);
}

}  // namespace carpool::engine
