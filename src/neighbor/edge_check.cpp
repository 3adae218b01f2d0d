#include "neighbor/edge_check.hpp"

#include "engine/activity.hpp"
#include "mpi/agreement.hpp"
#include "mpi/supersteps.hpp"

#include <optional>

namespace carpool::neighbor {
namespace {

/// Lends tags of a channel.
class Loan {
public:
    explicit Loan(mpi::Channel& channel) : channel_(channel), share_(channel.acquire_share()) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { channel_.release_share(share_); }

    int tag() const { return channel_.tags_of(share_).first; }

private:
    mpi::Channel& channel_;
    int share_;
};

}  // namespace

void throw_difference(const EdgeEnds& ends, const std::shared_ptr<mpi::Channel>& channel,
                      MPI_Comm comm, int error_class) {
    const Loan loan(*channel);
    const auto same = [](int rank) { return rank; };
    const auto text = mpi::run(difference(ends), {comm,
                                                  channel->comm(),
                                                  {loan.tag(), loan.tag() + 1},
                                                  same,
                                                  same,
                                                  engine::Activity::progress});
    std::optional<mpi::Error> mistake;
    if (text) mistake = mpi::Error(error_class, *text);
    mpi::Agreement(comm, {}, mistake).conclude();
    throw mpi::Error(error_class, "the ends of an edge differ");
}

}  // namespace carpool::neighbor
