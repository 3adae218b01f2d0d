// SPDX-License-Identifier: MIT
#include "sparse/protocol.hpp"

#include <map>
#include <utility>

namespace carpool::sparse {
namespace {

using Outcome = shared::CountingBarrier::Outcome;

constexpr std::uint64_t no_mistake = 0, some_mistake = 1;

}  // namespace

ConsensusProtocol::ConsensusProtocol(const ExchangeContext& context, Means means,
                                     const SendList& send_list, std::optional<mpi::Mistake> mistake)
    : tags_(context.tags),
      means_(std::move(means)),
      pending_(context.messages),
      probed_(context.messages, tags_.messages, means_.barrier == nullptr),
      sorter_(pending_, tags_, context.state, context.longest),
      piggyback_{{}, std::move(mistake)} {
    if (piggyback_.mistake) return;
    piggyback_.demand = demand_of(send_list, context.state.rank());
    std::map<int, OutgoingParcels> messages;
    sorter_.load(send_list, [&](int target) -> OutgoingParcels& { return messages[target]; });
    const bool until_received = means_.barrier == nullptr;
    for (auto& [target, message] : messages)
        pending_.send(target, tags_.messages, pending_.keep(message.sealed({})), until_received);
}

void ConsensusProtocol::take_in() {
    while (auto message = probed_.arrived()) sorter_.unload(std::move(*message), piggyback_, {});
}

void ConsensusProtocol::enter_consensus() {
    said_ = true;
    if (means_.barrier == nullptr) return agree();
    const auto& [demand, mistake] = piggyback_;
    means_.barrier->arrive(means_.number, mistake ? some_mistake : no_mistake,
                           {demand.degree, demand.flow});
}

void ConsensusProtocol::agree() {
    std::optional<mpi::Error> mistake;
    if (piggyback_.mistake)
        mistake = mpi::Error(piggyback_.mistake->error_class, piggyback_.mistake->text);
    mpi::Tally tally;
    tally.degree.add(piggyback_.demand.degree);
    tally.flow.add(piggyback_.demand.flow);
    agreement_.emplace(means_.comm, std::vector<mpi::Claim>{}, mistake, tally, 0,
                       means_.transport());
}

/// If a rank has made a mistake, all ranks learn by an agreement which one it is.
bool ConsensusProtocol::test_barrier() {
    auto& barrier = *means_.barrier;
    const auto outcome = barrier.outcome(means_.number);
    if (outcome == Outcome::open) return false;
    const auto most = barrier.most(means_.number);
    barrier.leave(means_.number);
    piggyback_.demand = {most[0], most[1]};
    if (outcome == Outcome::unbalanced) agree();
    return outcome == Outcome::balanced;
}

bool ConsensusProtocol::have_all_sent() {
    if (!agreement_) return test_barrier();
    if (!agreement_->test()) return false;
    piggyback_.demand = {agreement_->tally().degree.most, agreement_->tally().flow.most};
    piggyback_.mistake = agreement_->mistake();
    return true;
}

/// All that was sent before the last rank entered the barrier or agreement has arrived by then, and
/// nothing is sent later. But a message may be behind a multicast.
bool ConsensusProtocol::test() {
    take_in();
    if (!said_ && pending_.all_sent()) enter_consensus();
    if (said_ && !all_said_) all_said_ = have_all_sent();
    if (!all_said_) return false;
    const bool all_probed = probed_.all_probed();
    take_in();
    return all_probed && probed_.all_in() && sorter_.complete();
}

}  // namespace carpool::sparse
