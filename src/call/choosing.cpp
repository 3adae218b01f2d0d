#include "call/choosing.hpp"

#include "agree/joint_numbers.hpp"
#include "call/measurement.hpp"
#include "engine/preparation.hpp"
#include "mpi/call_code.hpp"
#include "mpi/error.hpp"
#include "mpi/found_choices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

std::string name_of(const Family& family, const choose::Chosen& chosen) {
    return name_with_transport(family.summary(chosen.number, chosen.load).algorithm,
                               chosen.swapped_transport);
}

/// The contender that this process remembers to be the fastest, counted from 1, with the host MPI's
/// after the last; 0 for none.
std::int64_t remembered(const Family& family, const Selection& selection) {
    if (selection.problem.empty()) return 0;
    const auto name = mpi::FoundChoices::of_process()->find(selection.problem);
    const auto& contenders = selection.contenders;
    if (selection.host_contends && name == engine::host) return std::ssize(contenders) + 1;
    const auto found = std::ranges::find_if(
        contenders, [&](const auto& one) { return name == name_of(family, one); });
    return found == contenders.end() ? 0 : found - contenders.begin() + 1;
}

/// Remembers the fastest for later similar requests and calls, in this process and through the
/// tuning file. A result of a measurement without the host MPI's collective does not replace that
/// collective.
void remember(const Selection& selection, const std::string& name) {
    if (selection.problem.empty()) return;
    const auto choices = mpi::FoundChoices::of_process();
    if (selection.host_contends || choices->find(selection.problem) != engine::host)
        choices->add(selection.problem, name);
}

/// The selection of the one contender that all ranks remember, counted as above.
Selection with_one(Selection selection, std::int64_t known) {
    const auto place = static_cast<std::size_t>(known - 1);
    selection.at_host = place == selection.contenders.size();
    selection.contenders = {selection.contenders[selection.at_host ? 0 : place]};
    selection.host_contends = false;
    return selection;
}

/// The maximum of each number over all ranks, in a call that all ranks have made equally often.
/// Throws if the digests differ.
/// @param digest  of what must be the same on all ranks
engine::Steps<std::vector<std::int64_t>> meet(const CallContext& context, mpi::CallCode code,
                                              std::int64_t digest, std::vector<std::int64_t> own) {
    own.insert(own.end(), {digest, ~digest});
    agree::JointNumbers joint(*context.ticket.state,
                              context.tag_of(code.in_way(mpi::CallCode::meeting)), std::move(own),
                              MPI_MAX);
    co_await engine::until(joint);
    auto most = joint.result();
    if (most.back() != ~digest || most[most.size() - 2] != digest)
        throw mpi::Error(MPI_ERR_ARG, "ranks call " + code.text() +
                                          " with other sizes of blocks, or another root or "
                                          "operator, expected the same");
    most.resize(most.size() - 2);
    co_return most;
}

/// Before anything is measured, ranks exchange what they know: which contender was the fastest
/// before, whether a measurement is worth it, and whether the host MPI's collective can do the
/// call. Then there may be one contender left.
engine::Steps<Selection> narrowed(const CallContext& context, Family& family, Selection selection) {
    enum { known, no_other_known, gains, host_does_not_fit, is_long };
    const auto own_known = remembered(family, selection);
    std::vector<std::int64_t> most{own_known, -own_known, selection.worth_measuring,
                                   !selection.host_call_fits, selection.is_long};
    if (selection.meets) {
        auto meeting = meet(context, *family.code(0), selection.digest, std::move(most));
        co_await engine::until(meeting);
        most = meeting.take();
    } else {
        agree::JointNumbers joint(*context.ticket.state, context.ticket.tag, std::move(most),
                                  MPI_MAX);
        co_await engine::until(joint);
        most = joint.result();
    }
    const bool all_know = most[known] > 0 && most[no_other_known] == -most[known];
    if (all_know) co_return with_one(std::move(selection), most[known]);
    if (most[gains] == 0 || most[is_long] != 0) selection.contenders.resize(1);
    if (selection.at_host) selection.at_host = most[host_does_not_fit] == 0;
    co_return selection;
}

bool is_measured(const Selection& selection) {
    return selection.contenders.size() > 1 || selection.host_contends;
}

/// Settles on the result of a meeting, for later similar calls. If that is the host MPI's blocking
/// collective, the call keeps `alike`, since a nonblocking call must not reuse it: for those costs
/// choose.
void conclude_meeting(Selection& selection, const choose::Chosen& chosen, std::int64_t turn) {
    selection.similar->settle(selection.at_host ? choose::Chosen{host_call} : chosen, turn);
    if (!selection.at_host) selection.similar = nullptr;
}

}  // namespace

engine::Steps<Choosing> chosen(const CallContext& context, Family& family, bool host_may) {
    const auto& ticket = context.ticket;
    const auto& state = *ticket.state;
    auto selection = select(family, context, host_may);
    if (selection.meets || is_measured(selection)) {
        auto narrowing = narrowed(context, family, std::move(selection));
        co_await engine::until(narrowing);
        selection = narrowing.take();
    }
    Plans writing(selection.contenders, family, state, ticket.tag);
    co_await engine::until(writing);
    auto plans = writing.take();
    std::size_t best = 0;
    if (is_measured(selection)) {
        auto measuring = fastest(plans, family, context, selection.host_contends);
        co_await engine::until(measuring);
        const auto [number, host_seconds] = measuring.take();
        selection.at_host = number == plans.size();
        selection.host_seconds = host_seconds;
        if (!selection.at_host) best = number;
        remember(selection, selection.at_host ? engine::host : name_of(family, plans[best].chosen));
    }
    if (selection.meets) conclude_meeting(selection, plans[best].chosen, context.turn());
    co_return Choosing{std::move(plans[best]), std::move(selection)};
}

}  // namespace carpool::call
