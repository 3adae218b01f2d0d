#include "engine/request.hpp"

#include "engine/spin_then_yield.hpp"

#include <utility>

namespace carpool::engine {

std::atomic<int> Request::Underway::count_ = 0;

Request::Underway::Underway(const std::shared_ptr<mpi::CommState>& state,
                            std::unique_ptr<Preparation> preparation, bool needs_comm)
    : preparation_(std::move(preparation)) {
    if (needs_comm) pending_.emplace(state, &Activity::progress);
    ++count_;
}

Request::Request(MPI_Comm comm, std::shared_ptr<mpi::CommState> state, int tag)
    : comm_(comm), state_(std::move(state)), tag_(tag) {}

Request::Request(MPI_Comm comm, mpi::CommState::Tag tag) : Request(comm, tag.state(), tag.value()) {
    persistent_tag_.emplace(std::move(tag));
}

Request::~Request() { withdraw(); }

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, mpi::CommState::Tag tag,
                                             std::unique_ptr<Preparation> preparation) {
    std::shared_ptr<Prepared> prepared;
    for (SpinThenYield spin; !(prepared = preparation->advance()); spin.wait()) progress();
    return persistent(comm, std::move(tag), std::move(prepared));
}

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, mpi::CommState::Tag tag,
                                             std::shared_ptr<Prepared> prepared) {
    std::unique_ptr<Request> request(new Request(comm, std::move(tag)));
    request->prepared_ = std::move(prepared);
    return request;
}

std::unique_ptr<Request> Request::persistent_in_background(
    MPI_Comm comm, mpi::CommState::Tag tag, std::unique_ptr<Preparation> preparation) {
    std::unique_ptr<Request> request(new Request(comm, std::move(tag)));
    request->underway_.emplace(request->state_, std::move(preparation));
    request->join();
    // each step looks at all that are not planned, so there must not be ever more
    constexpr int most = 1024;
    for (SpinThenYield spin; Underway::count() > most; spin.wait()) progress();
    return request;
}

std::unique_ptr<Request> Request::once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                       int tag, std::unique_ptr<Preparation> preparation,
                                       bool needs_comm) {
    std::unique_ptr<Request> request(new Request(comm, std::move(state), tag));
    request->underway_.emplace(request->state_, std::move(preparation), needs_comm);
    request->activate();
    return request;
}

void Request::free(std::unique_ptr<Request> request) { abandon(std::move(request)); }

Summary Request::summary() const {
    const auto lock = locked();
    return prepared_ ? prepared_->summary : Summary{};
}

/// True once the preparation has ended, if only by a refusal.
bool Request::prepare() {
    if (!underway_) return true;
    try {
        prepared_ = underway_->advance();
    } catch (...) {
        refusal_ = std::current_exception();
    }
    if (!prepared_ && !refusal_) return false;
    underway_.reset();
    return true;
}

/// What is prepared but now has failed only now is told by the end, as on ranks that learn it
/// later.
void Request::begin() {
    if (refusal_) std::rethrow_exception(refusal_);
    if (prepare() && prepared_) prepared_->exchange->start(tag_);
}

bool Request::advance() {
    if (underway_) {
        if (!prepare()) return false;
        if (!active()) return true;  // begins when the user starts it
        if (prepared_) prepared_->exchange->start(tag_);
    }
    if (refusal_) std::rethrow_exception(refusal_);
    return prepared_->exchange->advance();
}

}  // namespace carpool::engine
