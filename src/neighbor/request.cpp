#include "neighbor/request.hpp"

#include "neighbor/cache.hpp"
#include "neighbor/candidate.hpp"
#include "neighbor/concluded.hpp"
#include "neighbor/edge_check.hpp"

#include <algorithm>
#include <utility>

namespace carpool::neighbor {
namespace {

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

/// @param number  of the call, which is the entry's when it comes again
Agreed agreed_by_edge(const mpi::Tally& tally, std::int64_t number) {
    const auto most = std::max<std::int64_t>(0, tally.bytes.most);
    if (tally.one_size()) return {{most}, true, -1};
    return {{most}, false, tally.one_entry() ? tally.entry.most : number};
}

/// @param block_bytes  as agreed
Agreed agreed_by_position(const Intent& intent, std::vector<std::int64_t> block_bytes) {
    if (sizes_by_position(*intent.topology, intent.settings) || block_bytes.size() <= 1)
        return {std::move(block_bytes), true, -1};
    const auto [least, most] = std::minmax_element(block_bytes.begin(), block_bytes.end());
    return {{*most}, *least == *most, -1};
}

/// As this rank would have it, where nobody asks the others.
Agreed own_word(const Intent& intent) {
    if (!sizes_by_edge(intent))
        return agreed_by_position(intent, call_of(intent).block_bytes.values);
    return {{std::max<std::int64_t>(0, sizes_of(intent).most)}, false, -1};
}

}  // namespace

Request::Request(MPI_Comm comm, Intent intent) : comm_(comm), intent_(std::move(intent)) {
    if (!intent_.settings.assert_matching)
        agreement_ = std::make_unique<mpi::Agreement>(comm_, claims_of(intent_), intent_.mistake,
                                                      tally_of(intent_));
    else if (intent_.mistake)
        throw mpi::Error(*intent_.mistake);
}

std::unique_ptr<Request> Request::persistent(MPI_Comm comm, Intent intent) {
    intent.settings.assert_matching = false;  // an init is collective anyway
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    while (!request->agreement_->test()) progress();
    auto agreed = request->take_agreement();
    auto& topology = *request->intent_.topology;
    plan_candidates(topology, request->intent_.settings, request->intent_.operation, comm);
    request->persistent_tag_ = topology.lane()->acquire_tag(comm);
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
    request->persistent_tag_ = request->intent_.topology->lane()->acquire_tag(comm);
    request->prepared_ = prepare(*request->persistent_tag_);
    return request;
}

std::unique_ptr<Request> Request::once(MPI_Comm comm, Intent intent) {
    if (intent.settings.assert_matching) {
        if (intent.mistake) throw mpi::Error(*intent.mistake);
        go_direct_unless_told(intent);
    }
    plan_first(comm, intent);
    std::unique_ptr<Request> request(new Request(comm, std::move(intent)));
    auto& topology = *request->intent_.topology;
    request->call_tag_ = topology.lane()->call_tag();
    request->number_ = topology.lane()->next_call();
    request->activate();
    return request;
}

Request::~Request() {
    if (persistent_tag_) intent_.topology->lane()->release_tag(*persistent_tag_);
}

void Request::start() { activate(); }

MPI_Comm Request::comm() const {
    return intent_.topology->lane()->attached() ? comm_ : MPI_COMM_SELF;
}

Summary Request::summary() const { return prepared_ ? prepared_->summary : Summary{}; }

Agreed Request::take_agreement() {
    if (!agreement_) return own_word(intent_);
    const auto agreement = std::move(agreement_);
    auto block_bytes = agreement->conclude().back().values;
    if (agreement->tally().balance != 0) refuse_sizes();
    return sizes_by_edge(intent_) ? agreed_by_edge(agreement->tally(), number_)
                                  : agreed_by_position(intent_, std::move(block_bytes));
}

/// Names the edge where all ranks are in this call together; a nonblocking one may end in any
/// order, and must not talk again.
void Request::refuse_sizes() const {
    const auto& topology = *intent_.topology;
    if (number_ < 0) throw_difference(ends_of(intent_), *topology.lane(), comm_, MPI_ERR_ARG);
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
    learning_ = std::make_unique<Learning>(*topology.lane(), std::move(planned_->schedule),
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
    if (!agreement_) plan(own_word(intent_));
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
