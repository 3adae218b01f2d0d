// SPDX-License-Identifier: MIT
#include "engine/mpi_message.hpp"

#include "engine/typed_pieces.hpp"
#include "mpi/error.hpp"

namespace carpool::engine {

/// The memory of the transfer as MPI takes it.
MpiMessage::Memory MpiMessage::memory() {
    if (transfer_->pieces != nullptr) return {MPI_BOTTOM, 1, transfer_->pieces->type.get()};
    const auto bytes = static_cast<std::size_t>(transfer_->bytes);
    if (bytes_.bytes() != bytes) bytes_ = mpi::ByteCount(bytes);
    return {transfer_->memory, bytes_.count(), bytes_.type()};
}

void MpiMessage::receive(int tag, MPI_Request& request) {
    const auto [buffer, count, type] = memory();
    mpi::check(MPI_Irecv(buffer, count, type, peer_, tag, comm_, &request), "MPI_Irecv");
}

void MpiMessage::send(std::int64_t bytes, int tag, MPI_Request& request) {
    if (bytes == transfer_->bytes) {
        const auto [buffer, count, type] = memory();
        mpi::check(MPI_Isend(buffer, count, type, peer_, tag, comm_, &request), "MPI_Isend");
        return;
    }
    const mpi::ByteCount first(static_cast<std::size_t>(bytes));
    mpi::check(
        MPI_Isend(transfer_->memory, first.count(), first.type(), peer_, tag, comm_, &request),
        "MPI_Isend");
}

void MpiMessage::init_receive(int tag, MPI_Request& request) {
    const auto [buffer, count, type] = memory();
    mpi::check(MPI_Recv_init(buffer, count, type, peer_, tag, comm_, &request), "MPI_Recv_init");
}

void MpiMessage::init_send(int tag, MPI_Request& request) {
    const auto [buffer, count, type] = memory();
    mpi::check(MPI_Send_init(buffer, count, type, peer_, tag, comm_, &request), "MPI_Send_init");
}

void cancel_receive(MPI_Request& request) {
    if (MPI_Cancel(&request) == MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace carpool::engine
