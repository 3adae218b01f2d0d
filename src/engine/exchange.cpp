#include "engine/exchange.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <utility>

namespace carpool::engine {

using mpi::check;

Exchange::Exchange(Bound bound, MPI_Comm comm, std::optional<int> tag)
    : bound_(std::move(bound)), comm_(comm), persistent_(tag.has_value()) {
    requests_.assign(bound_.receives.size() + bound_.sends.size(), MPI_REQUEST_NULL);
    missing_.resize(bound_.sends.size());
    order_receives();
    if (tag) make_persistent(*tag);
}

Exchange::~Exchange() {
    if (mpi::finalized()) return;
    for (auto& request : requests_)
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void Exchange::order_receives() {
    slot_.resize(bound_.receives.size());
    for (std::size_t r = 0; r < slot_.size(); ++r) {
        if (bound_.receives[r].unlocks.empty()) continue;
        slot_[r] = relays_++;
        relay_.push_back(static_cast<int>(r));
    }
    int next = relays_;
    for (std::size_t r = 0; r < slot_.size(); ++r)
        if (bound_.receives[r].unlocks.empty()) slot_[r] = next++;
    ended_.resize(relay_.size());
}

void Exchange::make_persistent(int tag) {
    for (std::size_t r = 0; r < bound_.receives.size(); ++r) {
        const auto& t = bound_.receives[r].message.transfer;
        check(MPI_Recv_init(t.buffer, t.count, t.type, t.peer, tag, comm_,
                            &request_of_receive(static_cast<int>(r))),
              "MPI_Recv_init");
    }
    for (std::size_t s = 0; s < bound_.sends.size(); ++s) {
        const auto& t = bound_.sends[s].message.transfer;
        check(MPI_Send_init(t.buffer, t.count, t.type, t.peer, tag, comm_,
                            &request_of_send(static_cast<int>(s))),
              "MPI_Send_init");
    }
}

void Exchange::start(int tag) {
    tag_ = tag;
    active_ = true;
    relays_left_ = relays_;
    for (std::size_t s = 0; s < missing_.size(); ++s) missing_[s] = bound_.sends[s].waits_for;
    // One by one, since MPI_Startall may take any order and messages of one peer share a tag.
    for (std::size_t r = 0; r < bound_.receives.size(); ++r) post(static_cast<int>(r));
    for (std::size_t s = 0; s < bound_.sends.size(); ++s)
        if (bound_.sends[s].waits_for == 0) launch(static_cast<int>(s));
    bound_.first_copies.run();
}

void Exchange::post(int receive) {
    auto& request = request_of_receive(receive);
    if (persistent_) return check(MPI_Start(&request), "MPI_Start");
    const auto& t = bound_.receives[static_cast<std::size_t>(receive)].message.transfer;
    check(MPI_Irecv(t.buffer, t.count, t.type, t.peer, tag_, comm_, &request), "MPI_Irecv");
}

/// Sends a message whose parts are there, and those to the same peer that waited for it alone.
void Exchange::launch(int send) {
    while (true) {
        const auto& bound = bound_.sends[static_cast<std::size_t>(send)];
        const auto& t = bound.message.transfer;
        auto& request = request_of_send(send);
        bound.message.copies.run();
        if (persistent_)
            check(MPI_Start(&request), "MPI_Start");
        else
            check(MPI_Isend(t.buffer, t.count, t.type, t.peer, tag_, comm_, &request), "MPI_Isend");
        send = bound.next_same_peer;
        if (send < 0 || --missing_[static_cast<std::size_t>(send)] > 0) return;
    }
}

/// Passes on what has come before it unpacks what stays.
void Exchange::arrived(int relay) {
    const auto& receive =
        bound_.receives[static_cast<std::size_t>(relay_[static_cast<std::size_t>(relay)])];
    --relays_left_;
    for (const int send : receive.unlocks)
        if (--missing_[static_cast<std::size_t>(send)] == 0) launch(send);
    receive.message.copies.run();
}

bool Exchange::advance() {
    while (active_ && relays_left_ > 0) {
        int count = 0;
        check(MPI_Testsome(relays_, requests_.data(), &count, ended_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
        if (count <= 0) return false;
        for (int i = 0; i < count; ++i) arrived(ended_[static_cast<std::size_t>(i)]);
    }
    if (!active_) return true;
    int flag = 0;
    check(MPI_Testall(rest(), requests_.data() + relays_, &flag, MPI_STATUSES_IGNORE),
          "MPI_Testall");
    if (flag != 0) complete();
    return flag != 0;
}

void Exchange::finish() {
    while (active_ && relays_left_ > 0) {
        int count = 0;
        check(MPI_Waitsome(relays_, requests_.data(), &count, ended_.data(), MPI_STATUSES_IGNORE),
              "MPI_Waitsome");
        for (int i = 0; i < count; ++i) arrived(ended_[static_cast<std::size_t>(i)]);
    }
    if (!active_) return;
    check(MPI_Waitall(rest(), requests_.data() + relays_, MPI_STATUSES_IGNORE), "MPI_Waitall");
    complete();
}

void Exchange::complete() {
    for (const auto& receive : bound_.receives)
        if (receive.unlocks.empty()) receive.message.copies.run();
    bound_.last_copies.run();
    active_ = false;
}

}  // namespace carpool::engine
