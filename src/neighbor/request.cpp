#include "neighbor/request.hpp"

#include "neighbor/cache.hpp"

namespace carpool::neighbor {
namespace {

const Call& call_of(const Intent& intent) {
    return intent.planned ? intent.planned->call : *intent.call;
}

/// What all ranks must say alike before the first message.
std::vector<mpi::Claim> claims_of(const Intent& intent) {
    if (intent.mistake) return {};
    const auto& call = call_of(intent);
    return {{"collective operation", {static_cast<std::int64_t>(call.operation)}},
            {"commutativity of op", {call.in_order ? 0 : 1}},
            intent.settings.claim(),
            call.block_bytes};
}

}  // namespace

Request::Request(MPI_Comm comm, Intent intent) : comm_(comm), intent_(std::move(intent)) {
    if (!intent_.settings.assert_matching)
        agreement_ = std::make_unique<mpi::Agreement>(comm_, claims_of(intent_), intent_.mistake);
    else if (intent_.mistake)
        throw mpi::Error(*intent_.mistake);
}

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, Intent intent) {
    intent.settings.assert_matching = false;  // an init is collective anyway
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    const auto bytes = request->agreed_bytes();
    auto& topology = *request->intent_.topology;
    request->persistent_tag_ = topology.acquire_tag();
    request->prepared_ =
        prepare(topology, request->intent_.settings, std::move(*request->intent_.call), bytes,
                request->persistent_tag_);
    return request;
}

std::unique_ptr<Request> Request::planned(
    MPI_Comm comm, std::shared_ptr<Topology> topology,
    const std::function<std::shared_ptr<Prepared>(int tag)>& prepare) {
    Intent intent{std::move(topology), {}};
    intent.settings.assert_matching = true;
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    request->persistent_tag_ = request->intent_.topology->acquire_tag();
    request->prepared_ = prepare(*request->persistent_tag_);
    return request;
}

std::unique_ptr<Request> Request::once(MPI_Comm comm, Intent intent) {
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    request->call_tag_ = request->intent_.topology->call_tag();
    request->activate();
    return request;
}

Request::~Request() {
    if (persistent_tag_) intent_.topology->release_tag(*persistent_tag_);
}

void Request::start() { activate(); }

MPI_Comm Request::comm() const { return intent_.topology->attached() ? comm_ : MPI_COMM_SELF; }

Summary Request::summary() const { return prepared_ ? prepared_->summary : Summary{}; }

std::vector<std::int64_t> Request::agreed_bytes() {
    if (!agreement_) return call_of(intent_).block_bytes.values;
    const auto agreement = std::move(agreement_);
    return agreement->conclude().back().values;
}

/// All ranks have agreed: plan, unless the same call has been planned before.
void Request::take_agreed() {
    const auto bytes = agreed_bytes();
    auto& topology = *intent_.topology;
    if (intent_.planned && intent_.planned->block_bytes == bytes) {
        prepared_ = std::move(intent_.planned);
    } else {
        prepared_ = prepare(topology, intent_.settings, call_of(intent_), bytes, {});
        topology.cache().keep(std::move(intent_.signature), prepared_);
    }
    prepared_->exchange->start(call_tag_);
}

void Request::begin() {
    if (prepared_)
        prepared_->exchange->start(persistent_tag_.value_or(call_tag_));
    else if (!agreement_)
        take_agreed();
}

bool Request::advance() {
    if (!prepared_) {
        if (!agreement_->test()) return false;
        take_agreed();
    }
    return prepared_->exchange->advance();
}

void Request::finish() {
    if (!prepared_) take_agreed();
    prepared_->exchange->finish();
}

}  // namespace carpool::neighbor
