#include "engine/supersteps.hpp"

#include "engine/activity.hpp"
#include "engine/transport.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace carpool::engine {
namespace {

using mpi::check;
using routing::Letter;
using routing::Mail;
using routing::Words;

bool ended(MPI_Request* request) {
    int flag = 0;
    check(MPI_Test(request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
}

/// Letters from whoever writes, and from this rank; one to itself needs no message.
class Letters {
public:
    explicit Letters(const SuperstepComm& comm)
        : rank_(comm.state.rank()), messages_(transport_of(comm.state)->loose()) {}

    void send(const std::vector<Letter>& letters, int tag) {
        for (const auto& letter : letters)
            if (letter.peer == rank_)
                kept_.push_back(letter);
            else
                messages_->send(letter.peer, tag, std::as_bytes(std::span(*letter.words)), true);
    }

    bool all_received_elsewhere() { return messages_->all_sent(); }

    /// Takes in what has come; false if nothing has.
    bool take_in(int tag) {
        auto message = messages_->probe(tag);
        if (message) coming_.push_back(std::move(*message));
        return message.has_value();
    }

    /// By ascending sender. @pre all have been met, and so are on their way
    std::vector<Letter> heard() {
        while (!messages_->all_received()) std::this_thread::yield();
        auto letters = std::move(kept_);
        for (const auto& message : coming_) {
            Words words(message.bytes.size() / sizeof(int));
            if (!words.empty())
                std::memcpy(words.data(), message.bytes.data(), message.bytes.size());
            letters.push_back({message.source, std::make_shared<const Words>(std::move(words))});
        }
        std::stable_sort(letters.begin(), letters.end(),
                         [](const Letter& a, const Letter& b) { return a.peer < b.peer; });
        return letters;
    }

private:
    int rank_;
    std::vector<Letter> kept_;
    std::unique_ptr<LooseMessages> messages_;
    std::vector<UnexpectedMessage> coming_;
};

}  // namespace

Mail carried(Mail said, const SuperstepComm& comm, int tag) {
    Letters letters(comm);
    letters.send(said.letters, tag);
    auto board = std::move(said.board);
    board.push_back(0);  // so that it is never empty
    mpi::Request vote;
    bool voted = false;
    while (!voted || !ended(vote.out())) {
        if (letters.take_in(tag)) continue;
        if (!voted && letters.all_received_elsewhere()) {
            check(MPI_Iallreduce(MPI_IN_PLACE, board.data(), static_cast<int>(board.size()),
                                 MPI_UINT64_T, MPI_BOR, comm.comm, vote.out()),
                  "MPI_Iallreduce");
            voted = true;
        }
        Activity::progress();
        std::this_thread::yield();
    }
    board.pop_back();
    return {letters.heard(), std::move(board)};
}

}  // namespace carpool::engine
