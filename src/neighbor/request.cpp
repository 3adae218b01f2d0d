#include "neighbor/request.hpp"

#include "neighbor/cache.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/edge_check.hpp"

#include <algorithm>

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

/// Are sizes those of edges, which only their two ends know?
bool sizes_by_edge(const Intent& intent) {
    return !intent.topology->definition().declared && !schedule::reduces(call_of(intent).operation);
}

EdgeEnds ends_of(const Intent& intent) {
    const auto& topology = *intent.topology;
    const auto& call = call_of(intent);
    auto sent = bytes_sent(call);
    if (schedule::sends_one_block(call.operation))
        sent.assign(static_cast<std::size_t>(topology.outdegree()), sent.front());
    return {topology.rank(), &topology.edges(), std::move(sent), bytes_received(call)};
}

mpi::Tally tally_of(const Intent& intent) {
    mpi::Tally tally;
    if (intent.mistake || !sizes_by_edge(intent)) return tally;
    const auto ends = ends_of(intent);
    tally.balance = balance(ends);
    for (std::size_t i = 0; i < ends.sent.size(); ++i)
        if (ends.edges->out[i].peer != topology::no_rank) tally.count_bytes(ends.sent[i]);
    for (std::size_t i = 0; i < ends.received.size(); ++i)
        if (ends.edges->in[i].peer != topology::no_rank) tally.count_bytes(ends.received[i]);
    tally.count_entry(intent.planned ? intent.planned->agreed.entry : -1);
    return tally;
}

/// At the first call of its kind on a communicator all ranks plan together, once they know that all
/// have come for the same. @note Collective then.
void plan_first(MPI_Comm comm, const Intent& intent) {
    auto& topology = *intent.topology;
    if (candidates_planned(topology, intent.settings, intent.operation)) return;
    if (!intent.settings.assert_matching) {
        mpi::Agreement agreement(comm, claims_of(intent), intent.mistake);
        concluded(agreement);
    }
    plan_candidates(topology, intent.settings, intent.operation, comm);
}

/// Where nobody asks the others, sizes of edges are known to their two ends alone.
void go_direct_unless_told(Intent& intent) {
    if (intent.settings.rule == nullptr && sizes_by_edge(intent))
        intent.settings.rule = &routing::direct;
}

}  // namespace

Request::Request(MPI_Comm comm, Intent intent) : comm_(comm), intent_(std::move(intent)) {
    if (!intent_.settings.assert_matching)
        agreement_ = std::make_unique<mpi::Agreement>(comm_, claims_of(intent_), intent_.mistake,
                                                      tally_of(intent_));
    else if (intent_.mistake)
        throw mpi::Error(*intent_.mistake);
    else
        go_direct_unless_told(intent_);
}

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, Intent intent) {
    intent.settings.assert_matching = false;  // an init is collective anyway
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    while (!request->agreement_->test()) progress();
    auto agreed = request->take_agreement();
    auto& topology = *request->intent_.topology;
    plan_candidates(topology, request->intent_.settings, request->intent_.operation, comm);
    request->persistent_tag_ = topology.acquire_tag();
    request->plan(std::move(agreed));
    while (!request->learnt()) progress();
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
    plan_first(comm, intent);
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    auto& topology = *request->intent_.topology;
    request->call_tag_ = topology.call_tag();
    request->number_ = topology.next_call();
    request->activate();
    return request;
}

Request::~Request() {
    if (persistent_tag_) intent_.topology->release_tag(*persistent_tag_);
}

void Request::start() { activate(); }

MPI_Comm Request::comm() const { return intent_.topology->attached() ? comm_ : MPI_COMM_SELF; }

Summary Request::summary() const { return prepared_ ? prepared_->summary : Summary{}; }

/// As this rank would have it, where nobody asks the others.
Agreed Request::own_word() const {
    const auto& call = call_of(intent_);
    if (!sizes_by_edge(intent_)) return agreed_by({}, call.block_bytes.values);
    return {{std::max<std::int64_t>(0, tally_of(intent_).most_bytes)}, false, -1};
}

/// @param block_bytes  as agreed
Agreed Request::agreed_by(const mpi::Tally& tally, std::vector<std::int64_t> block_bytes) const {
    if (sizes_by_edge(intent_)) {
        const auto most = std::max<std::int64_t>(0, tally.most_bytes);
        if (tally.one_size()) return {{most}, true, -1};
        const auto known = tally.one_entry() ? tally.most_entry : number_;
        return {{most}, false, known};
    }
    if (sizes_by_position(*intent_.topology, intent_.settings) || block_bytes.size() <= 1)
        return {std::move(block_bytes), true, -1};
    const auto [least, most] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    return {{*most}, *least == *most, -1};
}

Agreed Request::take_agreement() {
    if (!agreement_) return own_word();
    const auto agreement = std::move(agreement_);
    auto block_bytes = agreement->conclude().back().values;
    if (agreement->tally().balance != 0) refuse_sizes();
    return agreed_by(agreement->tally(), std::move(block_bytes));
}

/// Names the edge where all ranks are in this call together; a nonblocking one may end in any
/// order, and must not talk again.
void Request::refuse_sizes() const {
    const auto& topology = *intent_.topology;
    if (number_ < 0) throw_difference(ends_of(intent_), topology.channel(), comm_, MPI_ERR_ARG);
    throw mpi::Error(MPI_ERR_ARG,
                     "the bytes that some rank sends along an edge are not those that its target "
                     "expects; the call with _init says where");
}

/// Is the call that was planned before the same for all other ranks too?
bool Request::planned_before() const {
    if (!intent_.planned || intent_.planned->agreed != agreed_) return false;
    return agreed_.sized || agreed_.entry >= 0 || intent_.settings.rule == &routing::direct;
}

/// Plans, unless the same call has been planned before.
void Request::plan(Agreed agreed) {
    agreed_ = std::move(agreed);
    if (planned_before()) {
        prepared_ = std::move(intent_.planned);
        return;
    }
    auto& topology = *intent_.topology;
    const auto& call = call_of(intent_);
    planned_ = plan_call(topology, intent_.settings, call, agreed_);
    if (planned_->sized) return bind();
    learning_ = std::make_unique<Learning>(topology, std::move(planned_->schedule),
                                           bytes_sent(call), bytes_received(call));
    learning_->start(tag());
}

void Request::bind() {
    auto& topology = *intent_.topology;
    auto call = intent_.planned ? intent_.planned->call : std::move(*intent_.call);
    prepared_ = prepare(topology, intent_.settings, std::move(call), agreed_, std::move(*planned_),
                        persistent_tag_);
    planned_.reset();
    if (!persistent_tag_) topology.cache().keep(std::move(intent_.signature), prepared_);
}

/// True when the call is planned whole; progresses what it needs for that.
bool Request::learnt() {
    if (prepared_) return true;
    if (!learning_->advance()) return false;
    planned_->schedule = learning_->sized();
    learning_.reset();
    bind();
    return true;
}

void Request::begin() {
    if (prepared_) return prepared_->exchange->start(tag());
    if (!agreement_) plan(own_word());
    if (prepared_) prepared_->exchange->start(tag());
}

bool Request::advance() {
    if (!prepared_) {
        if (agreement_) {
            if (!agreement_->test()) return false;
            plan(take_agreement());
        }
        if (!learnt()) return false;
        prepared_->exchange->start(call_tag_);
    }
    return prepared_->exchange->advance();
}

void Request::finish() {
    if (!prepared_) {
        if (agreement_) plan(take_agreement());
        if (learning_) learning_->finish();
        learnt();
        prepared_->exchange->start(call_tag_);
    }
    prepared_->exchange->finish();
}

}  // namespace carpool::neighbor
