#include "many/wire.hpp"

#include "many/message.hpp"
#include "mpi/error.hpp"

#include <utility>

namespace carpool::many {
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

std::span<const std::byte> Wire::keep(std::vector<std::byte> message) {
    return kept_.emplace_back(std::move(message));
}

void Wire::send(int target, int tag, std::span<const std::byte> data, bool synchronous) {
    const Bytes bytes(static_cast<std::int64_t>(data.size()));
    auto* const post = synchronous ? MPI_Issend : MPI_Isend;
    check(post(data.data(), bytes.count(), bytes.type(), lane_.channel_rank(target), tag,
               lane_.channel_comm(), &sends_.emplace_back(MPI_REQUEST_NULL)),
          synchronous ? "MPI_Issend" : "MPI_Isend");
}

Memory Wire::receive(int source, int tag, std::int64_t count) {
    auto memory = room_for(count);
    const Bytes bytes(count);
    check(MPI_Irecv(memory.get(), bytes.count(), bytes.type(), lane_.channel_rank(source), tag,
                    lane_.channel_comm(), &receives_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Irecv");
    return memory;
}

bool Wire::all_sent() { return ended(sends_); }
bool Wire::all_received() { return ended(receives_); }

}  // namespace carpool::many
