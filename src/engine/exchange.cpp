#include "engine/exchange.hpp"

#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <utility>

namespace carpool::engine {

using mpi::check;

namespace {

/// One request needs less of MPI than several.
bool test_all(int count, MPI_Request* requests) {
    int flag = 1;
    if (count == 1)
        check(MPI_Test(requests, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    else if (count > 1)
        check(MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE), "MPI_Testall");
    return flag != 0;
}

}  // namespace

Exchange::Exchange(Bound bound, MPI_Comm comm, std::optional<int> tag, Watch watch)
    : bound_(std::move(bound)), comm_(comm), persistent_(tag.has_value()), watch_(watch) {
    requests_.assign(bound_.receives.size() + bound_.sends.size(), MPI_REQUEST_NULL);
    missing_.resize(bound_.tasks.size());
    ready_.reserve(bound_.tasks.size());
    order_receives();
    find_phases();
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
        if (bound_.arrivals[r].unlocks.empty()) continue;
        slot_[r] = relays_++;
        relay_.push_back(static_cast<int>(r));
    }
    int next = relays_;
    for (std::size_t r = 0; r < slot_.size(); ++r)
        if (bound_.arrivals[r].unlocks.empty()) slot_[r] = next++;
    ended_.resize(relay_.size());
}

void Exchange::find_phases() {
    const auto phase_of = [this](std::size_t relay) {
        return bound_.phases[static_cast<std::size_t>(relay_[relay])];
    };
    for (std::size_t relay = 0; relay < relay_.size(); ++relay)
        if (relay + 1 == relay_.size() || phase_of(relay) != phase_of(relay + 1))
            phase_ends_.push_back(static_cast<int>(relay) + 1);
}

void Exchange::make_persistent(int tag) {
    for (std::size_t r = 0; r < bound_.receives.size(); ++r) {
        const auto& t = bound_.receives[r].transfer;
        check(MPI_Recv_init(t.buffer, t.count, t.type, t.peer, tag, comm_,
                            &request_of_receive(static_cast<int>(r))),
              "MPI_Recv_init");
    }
    for (std::size_t s = 0; s < bound_.sends.size(); ++s) {
        const auto& t = bound_.sends[s].transfer;
        check(MPI_Send_init(t.buffer, t.count, t.type, t.peer, tag, comm_, &request_of_send(s)),
              "MPI_Send_init");
    }
}

void Exchange::start(int tag) {
    tag_ = tag;
    active_ = true;
    relays_left_ = relays_;
    phase_ = 0;
    for (const auto& work : bound_.before) work.run();
    // One by one, since MPI_Startall may take any order and messages of one peer share a tag.
    for (std::size_t r = 0; r < bound_.receives.size(); ++r) post(static_cast<int>(r));
    for (std::size_t task = 0; task < missing_.size(); ++task) {
        missing_[task] = bound_.tasks[task].waits_for;
        if (missing_[task] == 0) ready_.push_back(static_cast<int>(task));
    }
    run_ready();
    bound_.first_copies.run();
}

void Exchange::post(int receive) {
    auto& request = request_of_receive(receive);
    if (persistent_) return check(MPI_Start(&request), "MPI_Start");
    const auto& t = bound_.receives[static_cast<std::size_t>(receive)].transfer;
    check(MPI_Irecv(t.buffer, t.count, t.type, t.peer, tag_, comm_, &request), "MPI_Irecv");
}

void Exchange::launch(std::size_t send) {
    const auto& message = bound_.sends[send];
    const auto& t = message.transfer;
    auto& request = request_of_send(send);
    message.copies.run();
    if (persistent_)
        check(MPI_Start(&request), "MPI_Start");
    else
        check(MPI_Isend(t.buffer, t.count, t.type, t.peer, tag_, comm_, &request), "MPI_Isend");
}

void Exchange::unlock(const std::vector<int>& tasks) {
    for (const int task : tasks)
        if (--missing_[static_cast<std::size_t>(task)] == 0) ready_.push_back(task);
}

/// Does all that nothing is missing for, and what becomes possible by that.
void Exchange::run_ready() {
    for (std::size_t next = 0; next < ready_.size(); ++next) {
        const auto task = static_cast<std::size_t>(ready_[next]);
        if (task < bound_.sends.size())
            launch(task);
        else
            bound_.works[task - bound_.sends.size()].run();
        unlock(bound_.tasks[task].unlocks);
    }
    ready_.clear();
}

/// Passes on what has come before it unpacks what stays, unless what is passed on is unpacked.
void Exchange::arrived(int relay) {
    const auto receive = static_cast<std::size_t>(relay_[static_cast<std::size_t>(relay)]);
    const auto& arrival = bound_.arrivals[receive];
    --relays_left_;
    if (arrival.unpacked_first) bound_.receives[receive].copies.run();
    unlock(arrival.unlocks);
    run_ready();
    if (!arrival.unpacked_first) bound_.receives[receive].copies.run();
}

/// True once all relays have arrived.
bool Exchange::relayed() {
    while (relays_left_ > 0) {
        int count = 0;
        check(MPI_Testsome(relays_, requests_.data(), &count, ended_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
        if (count <= 0) return false;
        for (int i = 0; i < count; ++i) arrived(ended_[static_cast<std::size_t>(i)]);
    }
    return true;
}

bool Exchange::relayed_by_phase() {
    for (; phase_ < phase_ends_.size(); ++phase_) {
        const int first = phase_ > 0 ? phase_ends_[phase_ - 1] : 0;
        const int end = phase_ends_[phase_];
        if (!test_all(end - first, requests_.data() + first)) return false;
        for (int relay = first; relay < end; ++relay) arrived(relay);
    }
    return true;
}

bool Exchange::advance() {
    if (!active_) return true;
    if (!(watch_ == Watch::any ? relayed() : relayed_by_phase())) return false;
    if (!test_all(rest(), requests_.data() + relays_)) return false;
    complete();
    return true;
}

void Exchange::complete() {
    for (std::size_t r = 0; r < bound_.receives.size(); ++r)
        if (bound_.arrivals[r].unlocks.empty()) bound_.receives[r].copies.run();
    bound_.last_copies.run();
    for (const auto& work : bound_.last_works) work.run();
    for (const auto& work : bound_.after) work.run();
    active_ = false;
}

}  // namespace carpool::engine
