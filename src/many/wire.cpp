#include "many/wire.hpp"

#include "mpi/contiguous.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <limits>

namespace carpool::many {
namespace {

using mpi::check;

/// So many bytes as MPI counts them.
class Bytes {
public:
    explicit Bytes(std::int64_t count) {
        if (count <= std::numeric_limits<int>::max())
            count_ = static_cast<int>(count);
        else
            large_ = mpi::contiguous(count, MPI_BYTE);
    }
    int count() const { return large_.get() == MPI_DATATYPE_NULL ? count_ : 1; }
    MPI_Datatype type() const {
        return large_.get() == MPI_DATATYPE_NULL ? MPI_BYTE : large_.get();
    }

private:
    int count_ = 0;
    mpi::Datatype large_;
};

bool ended(std::vector<MPI_Request>& requests) {
    int flag = 0;
    check(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (flag != 0) requests.clear();
    return flag != 0;
}

bool ended(mpi::Request& request) {
    int flag = 0;
    check(MPI_Test(request.out(), &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

}  // namespace

void Wire::send(int target, int tag, std::vector<std::byte> message, bool synchronous) {
    const auto& kept = sent_.emplace_back(std::move(message));
    const Bytes bytes(static_cast<std::int64_t>(kept.size()));
    auto* const post = synchronous ? MPI_Issend : MPI_Isend;
    check(post(kept.data(), bytes.count(), bytes.type(), lane_.channel_rank(target), tag,
               lane_.channel_comm(), &sends_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Isend");
}

void Wire::send(int target, int tag, const std::byte* data, std::int64_t count) {
    const Bytes bytes(count);
    check(MPI_Isend(data, bytes.count(), bytes.type(), lane_.channel_rank(target), tag,
                    lane_.channel_comm(), &sends_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Isend");
}

Memory Wire::receive(int source, int tag, std::int64_t count) {
    auto memory = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(count));
    const Bytes bytes(count);
    check(MPI_Irecv(memory.get(), bytes.count(), bytes.type(), lane_.channel_rank(source), tag,
                    lane_.channel_comm(), &receives_.emplace_back(MPI_REQUEST_NULL)),
          "MPI_Irecv");
    return memory;
}

void Wire::meet(int tag) {
    for (int flag = 1; flag != 0;) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(MPI_ANY_SOURCE, tag, lane_.channel_comm(), &flag, &message, &status),
              "MPI_Improbe");
        if (flag == 0) return;
        MPI_Count count = 0;
        check(MPI_Get_elements_x(&status, MPI_BYTE, &count), "MPI_Get_elements_x");
        const Bytes bytes(count);
        auto& coming = coming_.emplace_back();
        coming.message = {
            lane_.rank_of_channel_rank(status.MPI_SOURCE),
            std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(count)), count};
        check(MPI_Imrecv(coming.message.memory.get(), bytes.count(), bytes.type(), &message,
                         coming.request.out()),
              "MPI_Imrecv");
    }
}

std::optional<Wire::Message> Wire::arrived(int tag) {
    meet(tag);
    const auto first = std::find_if(coming_.begin(), coming_.end(),
                                    [](Coming& coming) { return ended(coming.request); });
    if (first == coming_.end()) return std::nullopt;
    auto message = std::move(first->message);
    coming_.erase(first);
    return message;
}

bool Wire::all_sent() { return ended(sends_); }
bool Wire::all_received() { return ended(receives_); }

}  // namespace carpool::many
