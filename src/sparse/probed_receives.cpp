#include "sparse/probed_receives.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <utility>

namespace carpool::sparse {
namespace {

using mpi::check;

bool ended(mpi::Request& request) {
    int flag = 0;
    check(MPI_Test(request.out(), &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

}  // namespace

void ProbedReceives::meet() {
    for (int flag = 1; flag != 0;) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        check(MPI_Improbe(MPI_ANY_SOURCE, tag_, state_.channel_comm(), &flag, &message, &status),
              "MPI_Improbe");
        if (flag == 0) return;
        MPI_Count count = 0;
        check(MPI_Get_elements_x(&status, MPI_BYTE, &count), "MPI_Get_elements_x");
        const Bytes bytes(count);
        auto memory = room_for(count);
        auto* const data = memory.get();
        coming_.push_back({{{data, static_cast<std::size_t>(count)}, std::move(memory)}});
        check(MPI_Imrecv(data, bytes.count(), bytes.type(), &message, coming_.back().request.out()),
              "MPI_Imrecv");
    }
}

std::optional<Message> ProbedReceives::arrived() {
    meet();
    const auto first = std::find_if(coming_.begin(), coming_.end(),
                                    [](Coming& coming) { return ended(coming.request); });
    if (first == coming_.end()) return std::nullopt;
    auto message = std::move(first->message);
    coming_.erase(first);
    return message;
}

}  // namespace carpool::sparse
