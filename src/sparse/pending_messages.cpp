#include "sparse/pending_messages.hpp"

#include "mpi/error.hpp"
#include "sparse/received_message.hpp"

#include <utility>

namespace carpool::sparse {
namespace {

using mpi::check;

bool ended(std::vector<MPI_Request>& requests) {
    int flag = 0;
    check(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (flag != 0) requests.clear();
    return flag != 0;
}

}  // namespace

std::span<const std::byte> PendingMessages::keep(std::vector<std::byte> message) {
    return kept_.emplace_back(std::move(message));
}

void PendingMessages::send(int target, int tag, std::span<const std::byte> data, bool synchronous) {
    const Bytes bytes(static_cast<std::int64_t>(data.size()));
    auto* const post = synchronous ? MPI_Issend : MPI_Isend;
    check(post(data.data(), bytes.count(), bytes.type(), state_.channel_rank(target), tag,
               state_.channel_comm(), &sends_.emplace_back(MPI_REQUEST_NULL)),
          synchronous ? "MPI_Issend" : "MPI_Isend");
}

Memory PendingMessages::receive(int source, int tag, std::int64_t count) {
    auto memory = room_for(count);
    const Bytes bytes(count);
    check(MPI_Irecv(memory.get(), bytes.count(), bytes.type(), state_.channel_rank(source), tag,
                    state_.channel_comm(), &receives_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Irecv");
    return memory;
}

bool PendingMessages::all_sent() { return ended(sends_); }
bool PendingMessages::all_received() { return ended(receives_); }

}  // namespace carpool::sparse
