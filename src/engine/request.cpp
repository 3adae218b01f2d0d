// SPDX-License-Identifier: MIT
#include "engine/request.hpp"

#include "engine/giving_up.hpp"
#include "engine/mpi_request.hpp"
#include "engine/spin_then_yield.hpp"
#include "mpi/attribute.hpp"

#include <utility>

namespace carpool::engine {

std::atomic<int> Request::PreparationPhase::count_ = 0;

Request::PreparationPhase::PreparationPhase(const std::shared_ptr<mpi::CommState>& state,
                                            MPI_Comm comm, std::unique_ptr<Preparation> preparation,
                                            bool needs_comm)
    : preparation_(std::move(preparation)) {
    if (needs_comm) pending_.emplace(state, comm, &Activity::progress);
    ++count_;
}

namespace {

/// The result of a preparation that all ranks wait for.
std::shared_ptr<ReadyCommunication> prepared_by(std::unique_ptr<Preparation> preparation,
                                                MPI_Comm comm, mpi::CommState& state) {
    std::shared_ptr<ReadyCommunication> prepared;
    WaitReport wait_report;
    for (SpinThenYield spin; !(prepared = preparation->advance()); spin.wait()) {
        Activity::progress();
        if (!wait_report.is_over()) continue;
        try {
            wait_report.look({CallScope::function(), comm, state, {}, {}, [&](const auto& visit) {
                                  preparation->visit_awaited(visit);
                              }});
        } catch (const mpi::Error&) {
            give_up(std::move(preparation), state);
            throw;
        }
    }
    return prepared;
}

}  // namespace

Request::~Request() { withdraw(); }

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, mpi::CommState::Tag tag,
                                             std::unique_ptr<Preparation> preparation) {
    auto prepared = prepared_by(std::move(preparation), comm, *tag.state());
    std::unique_ptr<Request> request(
        new Request(comm, tag.state(), tag.value(), std::move(prepared)));
    request->persistent_tag_.emplace(std::move(tag));
    return request;
}

std::unique_ptr<Request> Request::persistent_in_background(
    MPI_Comm comm, mpi::CommState::Tag tag, std::unique_ptr<Preparation> preparation) {
    std::unique_ptr<Request> request(new Request(comm, tag.state(), tag.value(),
                                                 std::in_place_type<PreparationPhase>, tag.state(),
                                                 comm, std::move(preparation), true));
    request->persistent_tag_.emplace(std::move(tag));
    request->join();
    go_on_outside();
    // each step visits all requests that are being prepared, so their number is limited
    constexpr int most = 1024;
    for (SpinThenYield spin; PreparationPhase::count() > most; spin.wait()) progress();
    return request;
}

std::unique_ptr<Request> Request::once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                       mpi::CommState::CallInWindow call,
                                       std::unique_ptr<Preparation> preparation, bool needs_comm) {
    std::unique_ptr<Request> request(new Request(comm, state, call.tag(),
                                                 std::in_place_type<PreparationPhase>, state, comm,
                                                 std::move(preparation), needs_comm));
    request->in_window_.emplace(std::move(call));
    request->activate();
    return request;
}

std::unique_ptr<Request> Request::again(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                        mpi::CommState::CallInWindow call,
                                        std::shared_ptr<ReadyCommunication> ready) {
    std::unique_ptr<Request> request(
        new Request(comm, std::move(state), call.tag(), std::move(ready)));
    request->in_window_.emplace(std::move(call));
    request->activate();
    return request;
}

std::unique_ptr<Request> Request::at_host(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                          std::shared_ptr<ReadyCommunication> ready) {
    constexpr int no_tag = 0;
    std::unique_ptr<Request> request(new Request(comm, std::move(state), no_tag, std::move(ready)));
    request->chain_ = mpi::Attribute<Chain>::of(comm);
    request->activate_in(*request->chain_);
    return request;
}

MPI_Request Request::entrust(const char* maker, std::unique_ptr<Request> request) {
    auto* const given = MpiRequest::started(maker, request->comm(), request->state_);
    const auto handle = given->handle();
    abandon(std::move(request), given);
    go_on_outside();
    return handle;
}

MPI_Request Request::lend(const char* maker) {
    auto* const given = MpiRequest::started(maker, comm(), state_, [this] {
        lent_ = false;
        deactivate();
    });
    const auto handle = given->handle();
    lent_ = true;
    tell(given);
    go_on_outside();
    return handle;
}

void Request::start() {
    activate();
    if (forwards_) go_on_outside();
}

void Request::set_stream(device::Stream stream) {
    const auto lock = locked();
    stream_ = stream;
    if (auto* const ready = std::get_if<Ready>(&phase_)) (*ready)->set_stream(stream);
}

void Request::free(std::unique_ptr<Request> request) { abandon(std::move(request)); }

Summary Request::summary() const {
    const auto lock = locked();
    const auto* ready = std::get_if<Ready>(&phase_);
    return ready != nullptr ? (*ready)->latest_summary() : Summary{};
}

bool Request::refused() const {
    const auto lock = locked();
    const auto* const refusal = std::get_if<RefusalPhase>(&phase_);
    return refusal != nullptr && mpi::error_of(refusal->error).is_before_messages();
}

std::shared_ptr<ReadyCommunication> Request::prepared() const {
    const auto lock = locked();
    throw_if_refused();
    const auto* ready = std::get_if<Ready>(&phase_);
    return ready != nullptr ? *ready : nullptr;
}

/// Whether the preparation has ended, if only by a refusal. Takes a step of it if not.
bool Request::prepare() {
    auto* const preparing = std::get_if<PreparationPhase>(&phase_);
    if (preparing == nullptr) return true;
    try {
        auto ready = preparing->advance();
        if (!ready) return false;
        if (stream_) ready->set_stream(*stream_);
        phase_ = std::move(ready);
    } catch (...) {
        phase_ = RefusalPhase{std::current_exception()};
    }
    return true;
}

void Request::throw_if_refused() const {
    if (const auto* refused = std::get_if<RefusalPhase>(&phase_))
        std::rethrow_exception(refused->error);
}

void Request::start_ready(ReadyCommunication& what) {
    const bool coded = in_window_ && what.code;
    what.communication->start(coded ? state_->tag_in({in_window_->number(), tag_}, *what.code)
                                    : tag_);
}

void Request::start_if_ready() {
    if (auto* ready = std::get_if<Ready>(&phase_)) start_ready(**ready);
}

/// Throws a refusal that is known before the start. A refusal that this very step brings to light
/// is thrown by the wait, as on ranks that find it out later.
void Request::begin() {
    state_->check_whole();
    auto* const ready = std::get_if<Ready>(&phase_);
    forwards_ = ready == nullptr || (*ready)->communication->forwards();
    if (ready != nullptr) return start_ready(**ready);
    throw_if_refused();
    if (prepare()) start_if_ready();
}

bool Request::stands_in_line() {
    return in_window_ && state_->window().put_in_line(in_window_->number(), *this);
}

void Request::left() {
    if (auto call = std::exchange(in_window_, std::nullopt)) call->end();
    if (const auto chain = std::exchange(chain_, nullptr)) chain->remove(*this);
}

bool Request::advance() {
    if (auto* ready = std::get_if<Ready>(&phase_)) return (*ready)->communication->advance();
    if (std::holds_alternative<PreparationPhase>(phase_)) {
        if (!prepare()) return false;
        if (!active()) return true;  // begins when the user starts it
        start_if_ready();
    }
    throw_if_refused();
    return std::get<Ready>(phase_)->communication->advance();
}

void Request::visit_awaited(const base::RankVisitor& visit) {
    if (auto* const ready = std::get_if<Ready>(&phase_))
        (*ready)->communication->visit_awaited(visit);
    else if (auto* const preparing = std::get_if<PreparationPhase>(&phase_))
        preparing->visit_awaited(visit);
}

UnfinishedCall Request::unfinished() {
    const auto comm = state_->attached() ? comm_ : MPI_COMM_NULL;
    const auto sequence_number = in_window_ ? std::optional(in_window_->number()) : std::nullopt;
    const auto* const ready = std::get_if<Ready>(&phase_);
    return {function_,
            comm,
            *state_,
            sequence_number,
            ready != nullptr ? (*ready)->code : std::nullopt,
            [this](const base::RankVisitor& visit) { visit_awaited(visit); }};
}

void Request::break_off() noexcept {
    if (auto* const ready = std::get_if<Ready>(&phase_)) {
        give_up(*ready, *state_);
    } else if (auto* const preparing = std::get_if<PreparationPhase>(&phase_)) {
        give_up(preparing->take(), *state_);
        phase_ = RefusalPhase{std::current_exception()};
    }
}

bool Request::waits_for_one() const {
    const auto* const ready = std::get_if<Ready>(&phase_);
    return ready != nullptr && (*ready)->communication->only_receives();
}

}  // namespace carpool::engine
