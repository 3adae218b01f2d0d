// SPDX-License-Identifier: MIT
#include "mpi/comm/in_use.hpp"

#include "base/mutex.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "mpi/host_symbol.hpp"
#include "mpi/library.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

namespace carpool::mpi {
namespace {

/// The first attribute of the process's own communicator, which is deleted last.
struct End {
    void on_free() {
        Use::end();
        forget_error_codes();
    }
};

void begin_use(const Use::Start& start, bool several_threads) {
    base::Mutex::expect_threads(several_threads);
    Attribute<End>::attach(start.own_comm, std::make_shared<End>());
    Use::begin(start);
}

bool world_begun = false;

void begin_with_world() {
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    begin_use({MPI_COMM_SELF, rank, false}, threads_are_allowed());
    world_begun = true;
}

#ifdef CARPOOL_MPI_HAS_SESSIONS

/// A function of MPI 4. It is looked up at run time, since the MPI that runs may be older than its
/// header.
template <typename Function>
Function* session_function(const char* name) {
    auto* const found = host_function<Function>(name);
    if (found == nullptr)
        throw Error(MPI_ERR_UNSUPPORTED_OPERATION, std::string("this MPI has no ") + name);
    return found;
}

struct SessionKind {
    using Raw = MPI_Session;
    static Raw null() { return MPI_SESSION_NULL; }
    static void free(Raw* raw) {
        session_function<decltype(MPI_Session_finalize)>("PMPI_Session_finalize")(raw);
    }
};
using Session = Handle<SessionKind>;

/// A session of the library's own. It lasts until the process exits, whatever sessions the program
/// opens and ends: when the last session ends, MPI forgets keyvals and error codes, and Open MPI 5
/// survives no second beginning.
class OwnSession {
public:
    OwnSession() {
        check(session_function<decltype(MPI_Session_init)>("PMPI_Session_init")(
                  MPI_INFO_NULL, MPI_ERRORS_RETURN, session_.out()),
              "MPI_Session_init");
        const auto alone = group_of("mpi://SELF");
        check(session_function<decltype(MPI_Comm_create_from_group)>("PMPI_Comm_create_from_group")(
                  alone.get(), "carpool", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm_.out()),
              "MPI_Comm_create_from_group");
        check(MPI_Group_rank(group_of("mpi://WORLD").get(), &rank_), "MPI_Group_rank");
    }

    MPI_Comm comm() const { return comm_.get(); }
    int rank() const { return rank_; }

    void end() {
        if (process_ != getpid()) return;  // a child of the process that has opened it
        comm_ = {};
        session_ = {};
        Use::exit();
    }

private:
    Group group_of(const char* process_set) const {
        Group group;
        check(session_function<decltype(MPI_Group_from_session_pset)>(
                  "PMPI_Group_from_session_pset")(session_.get(), process_set, group.out()),
              "MPI_Group_from_session_pset");
        return group;
    }

    Session session_;
    Comm comm_;
    int rank_ = 0;
    pid_t process_ = getpid();
};

/// Open MPI does not say how many threads its sessions allow, and each may allow another number.
/// Before anything else this asks MPI, which aborts if there is no session: comm is no handle then.
void begin_with_sessions() {
    const bool several_threads = threads_are_allowed() || is_open_mpi();
    static auto& session = *new OwnSession;  // lives on after main
    begin_use({session.comm(), session.rank(), true}, several_threads);
    std::atexit([] { session.end(); });
}

#else

void begin_with_sessions() {}

#endif

bool is_own_of_mpi(MPI_Comm comm) {
    return comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
}

}  // namespace

bool begins_use(MPI_Comm comm) {
    static std::mutex mutex;
    static bool failed = false;
    const std::lock_guard lock(mutex);
    const bool has_world = initialized_and_not_finalized();
    if (Use::runs() || (has_world && world_begun)) return true;  // the latter within MPI_Finalize
    try {
        if (has_world)
            begin_with_world();
        else if (!is_own_of_mpi(comm) && !Use::has_exited() && !failed)
            begin_with_sessions();
    } catch (const Error& error) {
        failed = true;
        std::fprintf(stderr, "Carpool: %s\n", error.what());
    }
    return Use::runs();
}

}  // namespace carpool::mpi
