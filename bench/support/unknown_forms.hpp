// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"
#include "personal.hpp"
#include "race.hpp"

#include <carpool/sparse.h>
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sched.h>

namespace bench {

/// The usual solution in programs: an alltoall of the counts, then an alltoallv.
inline Racer host_unknown(Personal& p) {
    const auto heard = std::make_shared<std::vector<int>>(static_cast<std::size_t>(p.size));
    return {"host", [&p, heard] {
                check(MPI_Alltoall(p.send_counts.data(), 1, MPI_INT, heard->data(), 1, MPI_INT,
                                   MPI_COMM_WORLD));
                check(MPI_Alltoallv(p.send.data(), p.send_counts.data(), p.send_displs.data(),
                                    MPI_BYTE, p.recv.data(), heard->data(), p.recv_displs.data(),
                                    MPI_BYTE, MPI_COMM_WORLD));
            }};
}

/// The messages of a hand-written exchange.
class HandWritten {
public:
    using Send = decltype(&MPI_Isend);

    HandWritten(Personal& personal, Send send) : p_(personal), send_(send) {}

    void send_all(int tag) {
        requests_.clear();
        for (std::size_t k = 0; k < p_.targets.size(); ++k)
            check(send_(p_.send.data() + p_.displs[k], p_.bytes, MPI_BYTE, p_.targets[k], tag,
                        MPI_COMM_WORLD, next_request()));
    }

    void post_receive(int source, int bytes, int tag) {
        check(MPI_Irecv(place_of(source), bytes, MPI_BYTE, source, tag, MPI_COMM_WORLD,
                        next_request()));
    }

    /// Receives the message that a probe has found.
    void receive(const MPI_Status& found) {
        int bytes = 0;
        check(MPI_Get_count(&found, MPI_BYTE, &bytes));
        check(MPI_Recv(place_of(found.MPI_SOURCE), bytes, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }

    bool all_done() {
        int done = 0;
        check(MPI_Testall(count(), requests_.data(), &done, MPI_STATUSES_IGNORE));
        return done != 0;
    }

    void wait() { check(MPI_Waitall(count(), requests_.data(), MPI_STATUSES_IGNORE)); }

private:
    MPI_Request* next_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    int count() const { return static_cast<int>(requests_.size()); }
    std::byte* place_of(int source) {
        return p_.recv.data() + p_.recv_displs[static_cast<std::size_t>(source)];
    }

    Personal& p_;
    Send send_;
    std::vector<MPI_Request> requests_;
};

/// Each rank receives the counts of all ranks by an alltoall, then posts its receives with their
/// places.
inline Racer counts_to_all(Personal& p) {
    const auto messages = std::make_shared<HandWritten>(p, MPI_Isend);
    const auto heard = std::make_shared<std::vector<int>>(static_cast<std::size_t>(p.size));
    return {"by hand, counts by alltoall", [&p, messages, heard] {
                check(MPI_Alltoall(p.send_counts.data(), 1, MPI_INT, heard->data(), 1, MPI_INT,
                                   MPI_COMM_WORLD));
                messages->send_all(3);
                for (int source = 0; source < p.size; ++source)
                    if (const int bytes = (*heard)[static_cast<std::size_t>(source)]; bytes > 0)
                        messages->post_receive(source, bytes, 3);
                messages->wait();
            }};
}

/// Each rank receives the number of its messages by a reduce_scatter, and probes for that many.
inline Racer number_by_reduction(Personal& p) {
    const auto messages = std::make_shared<HandWritten>(p, MPI_Isend);
    std::vector<int> sends(static_cast<std::size_t>(p.size));
    for (const int target : p.targets) sends[static_cast<std::size_t>(target)] = 1;
    return {"by hand, number by reduce_scatter", [messages, sends] {
                int number = 0;
                check(MPI_Reduce_scatter_block(sends.data(), &number, 1, MPI_INT, MPI_SUM,
                                               MPI_COMM_WORLD));
                messages->send_all(4);
                for (; number > 0; --number) {
                    MPI_Status found;
                    check(MPI_Probe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &found));
                    messages->receive(found);
                }
                messages->wait();
            }};
}

/// The nonblocking consensus of [6]: synchronous sends, and a barrier that a rank enters once its
/// own messages have been received. Exchanges alternate between two tags, since a rank may be one
/// exchange ahead.
inline Racer consensus(Personal& p) {
    const auto messages = std::make_shared<HandWritten>(p, MPI_Issend);
    const auto tag = std::make_shared<int>(5);
    return {"by hand, consensus", [messages, tag] {
                *tag = 11 - *tag;
                messages->send_all(*tag);
                MPI_Request barrier = MPI_REQUEST_NULL;
                bool entered = false;
                for (int over = 0; over == 0;) {
                    int there = 0;
                    MPI_Status found;
                    check(MPI_Iprobe(MPI_ANY_SOURCE, *tag, MPI_COMM_WORLD, &there, &found));
                    if (there != 0)
                        messages->receive(found);
                    else
                        sched_yield();  // others may share this core
                    if (entered)
                        check(MPI_Test(&barrier, &over, MPI_STATUS_IGNORE));
                    else if ((entered = messages->all_done()))
                        check(MPI_Ibarrier(MPI_COMM_WORLD, &barrier));
                }
            }};
}

/// Copies each parcel to where the other forms receive it.
inline void unload(Personal& p, Carpool_Delivery delivery) {
    int parcels = 0, source = 0;
    MPI_Count bytes = 0;
    const void* data = nullptr;
    check(Carpool_Delivery_count(delivery, &parcels));
    for (int i = 0; i < parcels; ++i) {
        check(Carpool_Delivery_get(delivery, i, &source, &bytes, &data));
        std::memcpy(p.recv.data() + p.recv_displs[static_cast<std::size_t>(source)], data,
                    static_cast<std::size_t>(bytes));
    }
}

/// @note Collective
inline Carpool_Delivery exchanged(Personal& p, MPI_Comm comm) {
    Carpool_Delivery delivery = CARPOOL_DELIVERY_NULL;
    check(Carpool_Sparse_exchange(p.degree(), p.targets.data(), p.send.data(), p.counts.data(),
                                  p.displs.data(), MPI_BYTE, comm, &delivery));
    return delivery;
}

/// An exchange on a communicator. @pre the communicator outlives the returned function
inline std::function<void()> exchange_on(Personal& p, MPI_Comm comm) {
    return [&p, comm] {
        auto delivery = exchanged(p, comm);
        unload(p, delivery);
        check(Carpool_Delivery_free(&delivery));
    };
}

/// An exchange on a communicator of its own, since the first exchange on a communicator reads the
/// environment.
inline Racer unknown(Personal& p, const char* way, const char* digits) {
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &made));
    const auto comm = std::make_shared<Communicator>(made);
    setenv("CARPOOL_SPARSE_EXCHANGE", way, 1);
    setenv("CARPOOL_DIGITS", digits, 1);
    const auto exchange = [comm, run = exchange_on(p, made)] { run(); };
    for (int i = 0; i < 6; ++i) exchange();  // until "auto" has chosen
    unsetenv("CARPOOL_SPARSE_EXCHANGE");
    unsetenv("CARPOOL_DIGITS");
    const bool counts = std::strcmp(way, "digits") == 0;
    return {"Carpool " + (counts ? std::string(digits) + "-digits" : way), exchange};
}

}  // namespace bench
