#pragma once

#include "engine/bind.hpp"

#include <mpi.h>

#include <optional>
#include <vector>

namespace carpool::engine {

/// A bound schedule that can be started again and again. Start allocates nothing and makes no
/// datatypes.
///
/// All receives are posted at the start; a send leaves when the blocks that it forwards have
/// arrived, and what is summed on the way has been summed, whatever else has not.
class Exchange {
public:
    /// How receives are watched whose blocks something else waits for: any of them may be the next,
    /// or all of one phase end before those of the next are looked at. The latter costs MPI less,
    /// and is as good where the next phase waits for all of them.
    enum class Watch { any, by_phase };

    /// @param tag  binds persistent requests to this tag; without it every start brings its own
    ///             and uses MPI_Isend and MPI_Irecv.
    Exchange(Bound bound, MPI_Comm comm, std::optional<int> tag, Watch watch = Watch::any);
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange();

    /// @pre inactive
    void start(int tag);

    /// Progresses without waiting; true once everything has arrived and all sends are done.
    bool advance();

private:
    MPI_Request& request_of_receive(int receive) {
        return requests_[static_cast<std::size_t>(slot_[static_cast<std::size_t>(receive)])];
    }
    MPI_Request& request_of_send(std::size_t send) {
        return requests_[bound_.receives.size() + send];
    }
    int rest() const { return static_cast<int>(requests_.size()) - relays_; }

    void order_receives();
    void find_phases();
    void make_persistent(int tag);
    void post(int receive);
    void launch(std::size_t send);
    void unlock(const std::vector<int>& tasks);
    void run_ready();
    bool relayed();
    bool relayed_by_phase();
    void arrived(int relay);
    void complete();

    Bound bound_;
    MPI_Comm comm_;
    bool persistent_;
    Watch watch_;
    bool active_ = false;
    int tag_ = 0;
    int relays_ = 0;  // receives that tasks wait for; their requests stand first
    int relays_left_ = 0;
    std::vector<int> slot_;              // per receive, its place in requests_
    std::vector<int> relay_;             // per relay request, its receive
    std::vector<int> phase_ends_;        // behind the last relay of each phase
    std::size_t phase_ = 0;              // the first that has not ended
    std::vector<int> missing_;           // per task, what it still waits for
    std::vector<int> ready_;             // tasks, the first to come the first to go
    std::vector<int> ended_;             // room for the answer of MPI_Testsome
    std::vector<MPI_Request> requests_;  // relays, other receives, sends
};

}  // namespace carpool::engine
