// SPDX-License-Identifier: MIT
#include "call/choice.hpp"

#include "agree/allreduce_steps.hpp"
#include "call/measurement.hpp"
#include "engine/preparation.hpp"
#include "mpi/comm/found_choices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carpool::call {
namespace {

std::string name_of(const Family& family, const choose::Contender& chosen) {
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

/// Remembers the fastest for later similar requests of this process and, through the tuning file,
/// of others. A result of a measurement without the host MPI's collective does not replace that
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

/// Before anything is measured, ranks exchange which contender they remember to be the fastest. If
/// all remember the same, it is the one contender left.
engine::Steps<Selection> narrowed(const CallContext& context, const Family& family,
                                  Selection selection) {
    const auto own = remembered(family, selection);
    std::vector both{own, -own};
    const auto most = co_await agree::allreduce(*context.ticket.state, context.ticket.tag,
                                                std::move(both), MPI_MAX);
    if (most[0] > 0 && most[1] == -most[0]) co_return with_one(std::move(selection), most[0]);
    co_return selection;
}

bool is_measured(const Selection& selection) {
    return selection.contenders.size() > 1 || selection.host_contends;
}

}  // namespace

engine::Steps<Choice> choice_of(const CallContext& context, Family& family, bool host_may) {
    const auto& ticket = context.ticket;
    const auto& state = *ticket.state;
    auto selection = select(family, context, host_may);
    if (is_measured(selection))
        selection = co_await narrowed(context, family, std::move(selection));
    ScheduleWriter writer(selection.contenders, family, state, ticket.tag);
    co_await engine::until(writer);
    auto schedules = writer.take();
    std::size_t best = 0;
    if (is_measured(selection)) {
        const auto [number, host_seconds] = co_await fastest(schedules, family, context, selection);
        selection.at_host = number == schedules.size();
        selection.host_seconds = host_seconds;
        if (!selection.at_host) best = number;
        remember(selection,
                 selection.at_host ? engine::host : name_of(family, schedules[best].contender));
    }
    co_return Choice{std::move(schedules[best]), std::move(selection)};
}

}  // namespace carpool::call
