#include "many/voyage.hpp"

#include <map>
#include <utility>

namespace carpool::many {

DirectVoyage::DirectVoyage(const Passage& passage, MPI_Comm comm, std::shared_ptr<mpi::Urn> urn,
                           const Cargo& cargo, std::optional<mpi::Mistake> mistake)
    : tags_(passage.tags),
      comm_(comm),
      urn_(std::move(urn)),
      wire_(passage.lane),
      strangers_(passage.lane, tags_.messages),
      hold_(wire_, tags_, passage.lane.rank(), passage.longest),
      news_{{}, std::move(mistake)} {
    if (news_.mistake) return;
    news_.account = account_of(cargo, passage.lane.rank());
    std::map<int, Outgoing> messages;
    hold_.load(cargo, [&](int target) -> Outgoing& { return messages[target]; });
    for (auto& [target, message] : messages)
        wire_.send(target, tags_.messages, wire_.keep(message.sealed({})), true);
}

void DirectVoyage::agree() {
    std::optional<mpi::Error> mistake;
    if (news_.mistake) mistake = mpi::Error(news_.mistake->error_class, news_.mistake->text);
    mpi::Tally tally;
    tally.degree.add(news_.account.degree);
    tally.flow.add(news_.account.flow);
    agreement_.emplace(comm_, std::vector<mpi::Claim>{}, mistake, tally, 0, urn_);
}

bool DirectVoyage::test() {
    while (auto message = strangers_.arrived()) hold_.unload(std::move(*message), news_, {});
    if (!agreement_ && wire_.all_sent()) agree();
    if (!agreed_) agreed_ = agreement_ && agreement_->test();
    if (!agreed_ || !strangers_.all_in() || !hold_.complete()) return false;
    news_.account = {agreement_->tally().degree.most, agreement_->tally().flow.most};
    news_.mistake = agreement_->mistake();
    return true;
}

}  // namespace carpool::many
