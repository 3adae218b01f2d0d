// SPDX-License-Identifier: MIT
// Programs by MPI's sessions: all kinds of calls on communicators that no MPI_Init has made. The
// argument names one of the cases at the end. Each has a process of its own, since MPI begins and
// ends in it.

#include <carpool/carpool.h>
#include <carpool/collectives.h>
#include <carpool/halo.h>
#include <carpool/sparse.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> faults = 0;

void expect(bool right, const char* what) {
    if (right) return;
    std::printf("wrong: %s\n", what);
    ++faults;
}

/// A session, and a communicator of all processes in it.
class Session {
public:
    explicit Session(const char* tag, const char* thread_level = "MPI_THREAD_SINGLE") {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "thread_level", thread_level);
        MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session_);
        MPI_Info_free(&info);
        MPI_Group all;
        MPI_Group_from_session_pset(session_, "mpi://WORLD", &all);
        MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm_);
        MPI_Group_free(&all);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() {
        MPI_Comm_free(&comm_);
        MPI_Session_finalize(&session_);
    }

    MPI_Comm comm() const { return comm_; }

private:
    MPI_Session session_ = MPI_SESSION_NULL;
    MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The ranks of a communicator, and a sum over all of them.
struct Ranks {
    explicit Ranks(MPI_Comm comm) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
    }

    int sum(int added) const { return size * (size - 1) / 2 + size * added; }

    int rank = 0;
    int size = 0;
};

void check_blocking(MPI_Comm comm) {
    const Ranks ranks(comm);
    for (int i = 0; i < 80; ++i) {
        const int mine = ranks.rank + i;
        int sum = 0;
        Carpool_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
        expect(sum == ranks.sum(i), "allreduce");
    }
}

void check_nonblocking(MPI_Comm comm) {
    const Ranks ranks(comm);
    for (int i = 0; i < 10; ++i) {
        const int mine = ranks.rank + i;
        int sum = 0;
        MPI_Request request;
        Carpool_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(sum == ranks.sum(i), "iallreduce");
    }
}

void check_persistent(MPI_Comm comm) {
    const Ranks ranks(comm);
    int mine = 0;
    std::array<int, 2> sums{};
    std::array<Carpool_Request, 2> requests{};
    Carpool_Allreduce_init(&mine, &sums[0], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &requests[0]);
    Carpool_Iallreduce_init(&mine, &sums[1], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL,
                            &requests[1]);
    for (int i = 0; i < 10; ++i) {
        mine = ranks.rank + i;
        Carpool_Startall(2, requests.data());
        Carpool_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        expect(sums[0] == ranks.sum(i), "allreduce_init");
        expect(sums[1] == ranks.sum(i), "iallreduce_init");
    }
    for (auto& request : requests) Carpool_Request_free(&request);
}

void check_neighborhood(MPI_Comm comm) {
    const Ranks ranks(comm);
    const int periodic = 1;
    int t = 0;
    std::array<int, 2> offsets{};
    Carpool_Stencil_moore(1, 1, 2, &t, offsets.data());
    MPI_Comm ring;
    Carpool_Cart_neighborhood_create(comm, 1, &ranks.size, &periodic, t, offsets.data(),
                                     MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    for (int i = 0; i < 80; ++i) {
        const std::array<int, 2> out{ranks.rank + i, ranks.rank + i};
        std::array<int, 2> in{};
        Carpool_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, ring);
        expect(in[0] + in[1] == (ranks.rank + 1) % ranks.size +
                                    (ranks.rank + ranks.size - 1) % ranks.size + 2 * i,
               "neighbor_alltoall");
    }
    MPI_Comm_free(&ring);
}

/// An array of four cells per rank around a ring, with one halo cell on either side.
void check_halo(MPI_Comm comm) {
    const Ranks ranks(comm);
    const int periodic = 1, cells = 4, wide = 1;
    const std::array<int, 2> both{-1, 1};
    std::array<int, 6> array{};
    void* const field = array.data();
    MPI_Comm ring;
    MPI_Cart_create(comm, 1, &ranks.size, &periodic, 0, &ring);
    const Carpool_Halo halo{1, &field, &cells, &wide, &wide, MPI_ORDER_C, MPI_INT, 2, both.data()};
    Carpool_Request request;
    Carpool_Halo_init(&halo, ring, MPI_INFO_NULL, &request);
    array.fill(ranks.rank);
    Carpool_Start(&request);
    Carpool_Wait(&request, MPI_STATUS_IGNORE);
    Carpool_Request_free(&request);
    MPI_Comm_free(&ring);
    expect(array[0] == (ranks.rank + ranks.size - 1) % ranks.size, "halo, lower");
    expect(array[5] == (ranks.rank + 1) % ranks.size, "halo, upper");
}

/// Each rank sends its number to the next one. The delivery is read when the communicator is gone.
void check_sparse(MPI_Comm comm) {
    const Ranks ranks(comm);
    const int to = (ranks.rank + 1) % ranks.size, one = 1, none = 0;
    MPI_Comm duplicate;
    MPI_Comm_dup(comm, &duplicate);
    Carpool_Delivery delivery;
    Carpool_Sparse_exchange(1, &to, &ranks.rank, &one, &none, MPI_INT, duplicate, &delivery);
    MPI_Comm_free(&duplicate);
    int count = 0, source = -1;
    MPI_Count bytes = 0;
    const void* data = nullptr;
    Carpool_Delivery_count(delivery, &count);
    Carpool_Delivery_get(delivery, 0, &source, &bytes, &data);
    expect(count == 1 && source == (ranks.rank + ranks.size - 1) % ranks.size, "sparse_exchange");
    Carpool_Delivery_free(&delivery);
}

/// The user may free a communicator on which a call is under way.
void check_freed_early(MPI_Comm comm) {
    const Ranks ranks(comm);
    MPI_Comm duplicate;
    MPI_Comm_dup(comm, &duplicate);
    Carpool_Barrier(duplicate);
    int sum = 0;
    MPI_Request request;
    Carpool_Iallreduce(&ranks.rank, &sum, 1, MPI_INT, MPI_SUM, duplicate, &request);
    MPI_Comm_free(&duplicate);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sum == ranks.sum(0), "iallreduce on a communicator freed early");
}

void check_alone(MPI_Comm comm) {
    const Ranks ranks(comm);
    MPI_Comm alone;
    MPI_Comm_split(comm, ranks.rank, 0, &alone);
    int sum = 0;
    Carpool_Allreduce(&ranks.rank, &sum, 1, MPI_INT, MPI_SUM, alone);
    expect(sum == ranks.rank, "allreduce on a communicator of one rank");
    MPI_Comm_free(&alone);
}

void check_all_kinds(MPI_Comm comm) {
    for (auto* const check :
         {check_blocking, check_nonblocking, check_persistent, check_neighborhood, check_halo,
          check_sparse, check_freed_early, check_alone})
        check(comm);
}

/// Calls on no communicator come before Carpool can know that there is a session.
void one_session() {
    const Session session("one");
    int t = 0;
    Carpool_Stencil_moore(2, 1, 0, &t, nullptr);
    expect(t == 8, "stencil");
    Carpool_Request none = CARPOOL_REQUEST_NULL;
    Carpool_Waitall(1, &none, MPI_STATUSES_IGNORE);
    check_all_kinds(session.comm());
}

void sessions_in_a_row() {
    for (int round = 0; round < 3; ++round) {
        const Session session("in a row");
        check_all_kinds(session.comm());
    }
}

/// The first session ends before the second is used.
void sessions_that_overlap() {
    std::array<std::unique_ptr<Session>, 2> sessions{std::make_unique<Session>("first"),
                                                     std::make_unique<Session>("second")};
    for (auto& session : sessions) {
        check_all_kinds(session->comm());
        session.reset();
    }
}

/// Each thread has a session of its own.
void sessions_in_threads() {
    std::vector<std::thread> threads;
    for (const char* tag : {"one thread", "another thread"})
        threads.emplace_back([tag] {
            const Session own(tag, "MPI_THREAD_MULTIPLE");
            for (int round = 0; round < 3; ++round) check_all_kinds(own.comm());
        });
    for (auto& thread : threads) thread.join();
}

/// A session that is there before MPI_Init, between it and MPI_Finalize, and after that.
void session_beside_init() {
    const Session session("beside");
    check_all_kinds(session.comm());
    MPI_Init(nullptr, nullptr);
    check_all_kinds(session.comm());
    check_all_kinds(MPI_COMM_WORLD);
    MPI_Finalize();
    check_all_kinds(session.comm());
}

/// The first call is on MPI_COMM_WORLD, and the session outlives it.
void session_after_finalize() {
    MPI_Init(nullptr, nullptr);
    const Session session("after");
    check_all_kinds(MPI_COMM_WORLD);
    check_all_kinds(session.comm());
    MPI_Finalize();
    check_all_kinds(session.comm());
}

std::vector<std::string> errors;

void note(MPI_Comm*, int* code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(*code, text, &length);
    errors.emplace_back(text);
}

void expect_error(const char* begin) {
    expect(errors.size() == 1, "one error is raised");
    if (!errors.empty()) expect(errors.front().starts_with(begin), errors.front().c_str());
    errors.clear();
}

/// Mistakes, which the communicator's error handler sees.
void mistakes() {
    setenv("CARPOOL_CHECK", "all", 1);
    const Session session("mistakes");
    const Ranks ranks(session.comm());
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(session.comm(), handler);
    MPI_Errhandler_free(&handler);
    int sum = 0;
    Carpool_Request made = CARPOOL_REQUEST_NULL;
    expect(
        Carpool_Allreduce(&ranks.rank, &sum, -1, MPI_INT, MPI_SUM, session.comm()) != MPI_SUCCESS,
        "allreduce returns an error");
    expect_error("Carpool_Allreduce: rank 0: count is -1");
    Carpool_Allreduce_init(&ranks.rank, &sum, 1, MPI_INT, MPI_OP_NULL, session.comm(),
                           MPI_INFO_NULL, &made);
    expect_error("Carpool_Allreduce_init: rank 0: op is MPI_OP_NULL");
    if (ranks.size == 1) return;
    MPI_Request request;
    std::array<int, 2> both{};
    Carpool_Iallreduce(both.data(), &sum, ranks.rank == 0 ? 2 : 1, MPI_INT, MPI_SUM, session.comm(),
                       &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect_error("Carpool_Iallreduce: ");
}

/// Aborts: there is no error handler that the program could have set.
void null_delivery() {
    const Session session("null delivery");
    Carpool_Barrier(session.comm());
    int count = 0;
    Carpool_Delivery_count(CARPOOL_DELIVERY_NULL, &count);
}

void world_without_init() {
    const Session session("world");
    Carpool_Barrier(session.comm());
    Carpool_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int, char* argv[]) {
    const std::map<std::string, std::function<void()>> cases{
        {"one_session", one_session},
        {"sessions_in_a_row", sessions_in_a_row},
        {"sessions_that_overlap", sessions_that_overlap},
        {"sessions_in_threads", sessions_in_threads},
        {"session_beside_init", session_beside_init},
        {"session_after_finalize", session_after_finalize},
        {"mistakes_in_session", mistakes},
        {"null_delivery", null_delivery},
        {"world_without_init", world_without_init}};
    cases.at(argv[1])();
    std::printf("%d faults\n", faults.load());
    return faults != 0;
}
