#include "engine/mpi_message.hpp"

#include "engine/typed_pieces.hpp"
#include "mpi/error.hpp"

namespace carpool::engine {

MpiMessage::MpiMessage(const Transfer& transfer, const mpi::CommState& state)
    : transfer_(transfer), peer_(state.channel_rank(transfer.peer)), comm_(state.channel_comm()) {
    describe();
}

/// Finds buffer, count and datatype as MPI takes them.
void MpiMessage::describe() {
    if (transfer_.pieces != nullptr) {
        buffer_ = MPI_BOTTOM;
        count_ = 1;
        type_ = transfer_.pieces->type.get();
        return;
    }
    buffer_ = transfer_.memory;
    bytes_ = mpi::ByteCount(static_cast<std::size_t>(transfer_.bytes));
    count_ = bytes_.count();
    type_ = bytes_.type();
}

void MpiMessage::receive(int tag, MPI_Request& request) const {
    mpi::check(MPI_Irecv(buffer_, count_, type_, peer_, tag, comm_, &request), "MPI_Irecv");
}

void MpiMessage::send(std::int64_t bytes, int tag, MPI_Request& request) const {
    if (bytes == transfer_.bytes) {
        mpi::check(MPI_Isend(buffer_, count_, type_, peer_, tag, comm_, &request), "MPI_Isend");
        return;
    }
    const mpi::ByteCount first(static_cast<std::size_t>(bytes));
    mpi::check(MPI_Isend(buffer_, first.count(), first.type(), peer_, tag, comm_, &request),
               "MPI_Isend");
}

void MpiMessage::init_receive(int tag, MPI_Request& request) const {
    mpi::check(MPI_Recv_init(buffer_, count_, type_, peer_, tag, comm_, &request), "MPI_Recv_init");
}

void MpiMessage::init_send(int tag, MPI_Request& request) const {
    mpi::check(MPI_Send_init(buffer_, count_, type_, peer_, tag, comm_, &request), "MPI_Send_init");
}

void cancel_receive(MPI_Request& request) {
    if (MPI_Cancel(&request) == MPI_SUCCESS) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace carpool::engine
