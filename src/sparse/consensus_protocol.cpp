#include "sparse/protocol.hpp"

#include <map>
#include <utility>

namespace carpool::sparse {

ConsensusProtocol::ConsensusProtocol(const Terms& terms, MPI_Comm comm,
                                     std::shared_ptr<mpi::VoteTransport> transport,
                                     const SendList& send_list, std::optional<mpi::Mistake> mistake)
    : tags_(terms.tags),
      comm_(comm),
      transport_(std::move(transport)),
      pending_(terms.state),
      probed_(terms.state, tags_.messages),
      sorter_(pending_, tags_, terms.state.rank(), terms.longest),
      piggyback_{{}, std::move(mistake)} {
    if (piggyback_.mistake) return;
    piggyback_.demand = demand_of(send_list, terms.state.rank());
    std::map<int, Outgoing> messages;
    sorter_.load(send_list, [&](int target) -> Outgoing& { return messages[target]; });
    for (auto& [target, message] : messages)
        pending_.send(target, tags_.messages, pending_.keep(message.sealed({})), true);
}

void ConsensusProtocol::agree() {
    std::optional<mpi::Error> mistake;
    if (piggyback_.mistake)
        mistake = mpi::Error(piggyback_.mistake->error_class, piggyback_.mistake->text);
    mpi::Tally tally;
    tally.degree.add(piggyback_.demand.degree);
    tally.flow.add(piggyback_.demand.flow);
    agreement_.emplace(comm_, std::vector<mpi::Claim>{}, mistake, tally, 0, transport_);
}

bool ConsensusProtocol::test() {
    while (auto message = probed_.arrived()) sorter_.unload(std::move(*message), piggyback_, {});
    if (!agreement_ && pending_.all_sent()) agree();
    if (!agreed_) agreed_ = agreement_ && agreement_->test();
    if (!agreed_ || !probed_.all_in() || !sorter_.complete()) return false;
    piggyback_.demand = {agreement_->tally().degree.most, agreement_->tally().flow.most};
    piggyback_.mistake = agreement_->mistake();
    return true;
}

}  // namespace carpool::sparse
