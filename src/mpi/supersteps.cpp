#include "mpi/supersteps.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <algorithm>
#include <optional>
#include <thread>
#include <vector>

namespace carpool::mpi {
namespace {

using routing::Letter;
using routing::Mail;
using routing::Words;

std::optional<Letter> received(const SuperstepComm& comm, int tag) {
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, tag, comm.letters, &flag, &message, &status), "MPI_Improbe");
    if (flag == 0) return std::nullopt;
    int count = 0;
    check(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count");
    Words words(static_cast<std::size_t>(count));
    check(MPI_Mrecv(words.data(), count, MPI_INT, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
    return Letter{comm.from_letters(status.MPI_SOURCE),
                  std::make_shared<const Words>(std::move(words))};
}

bool ended(MPI_Request* request) {
    int flag = 0;
    check(MPI_Test(request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

/// The letters of one rank on their way.
class Outbox {
public:
    Outbox(const std::vector<Letter>& letters, const SuperstepComm& comm, int tag)
        : requests_(letters.size(), MPI_REQUEST_NULL) {
        for (std::size_t i = 0; i < letters.size(); ++i)
            check(MPI_Issend(letters[i].words->data(), static_cast<int>(letters[i].words->size()),
                             MPI_INT, comm.to_letters(letters[i].peer), tag, comm.letters,
                             &requests_[i]),
                  "MPI_Issend");
    }

    bool all_received() {
        int flag = 0;
        check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &flag,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
        return flag != 0;
    }

private:
    std::vector<MPI_Request> requests_;
};

}  // namespace

Mail carried(Mail said, const SuperstepComm& comm, int tag) {
    Outbox outbox(said.letters, comm, tag);
    auto board = std::move(said.board);
    board.push_back(0);  // so that it is never empty
    Request vote;
    bool voted = false;
    Mail heard;
    while (!voted || !ended(vote.out())) {
        if (auto letter = received(comm, tag)) {
            heard.letters.push_back(std::move(*letter));
            continue;
        }
        if (!voted && outbox.all_received()) {
            check(MPI_Iallreduce(MPI_IN_PLACE, board.data(), static_cast<int>(board.size()),
                                 MPI_UINT64_T, MPI_BOR, comm.voters, vote.out()),
                  "MPI_Iallreduce");
            voted = true;
        }
        comm.idle();
        std::this_thread::yield();
    }
    std::stable_sort(heard.letters.begin(), heard.letters.end(),
                     [](const Letter& a, const Letter& b) { return a.peer < b.peer; });
    board.pop_back();
    heard.board = std::move(board);
    return heard;
}

}  // namespace carpool::mpi
