#include "group/init.hpp"

#include "group/planning.hpp"
#include "mpi/library.hpp"

#include <string>
#include <utility>

namespace carpool::group {
namespace {

using mpi::Error;

/// Where the user asks for an algorithm that does not solve the problem.
void check_algorithm(const Settings& settings, const collectives::Problem& problem) {
    if (settings.algorithm == nullptr || settings.algorithm->applies(problem)) return;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(problem.kind))
        if (algorithm.applies(problem)) names += std::string(algorithm.name) + ", ";
    throw Error(MPI_ERR_INFO_VALUE,
                "carpool_algorithm is '" + std::string(settings.algorithm->name) +
                    "', which does not apply to this call, expected " + names + "or auto");
}

/// A mistake in the arguments is kept, to be agreed upon.
Intent intent_of(const Arguments& arguments, MPI_Info info, Place place) {
    Intent intent;
    intent.mistake = mpi::mistake_in([&] {
        intent.settings = Settings::of(arguments.kind, info);
        intent.call = std::make_shared<Call>(read_call(arguments, place, mpi::private_self()));
        intent.call->problem.segment = intent.settings.segment;
        intent.settings.prefer_for(intent.call->problem);
        check_algorithm(intent.settings, intent.call->problem);
        intent.claims = claims_of(arguments, *intent.call);
        for (auto& claim : intent.settings.claims()) intent.claims.push_back(std::move(claim));
    });
    return intent;
}

/// At the first call a duplicate of the communicator is under way behind it. Open MPI's makes
/// collective calls of its own when it is progressed, which must not mix with others' on comm.
std::shared_ptr<mpi::Lane> lane_of(MPI_Comm comm) {
    auto lane = mpi::Lane::of(comm);
    if (mpi::is_open_mpi()) lane->wait(&engine::Activity::progress);
    return lane;
}

}  // namespace

std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, Return when) {
    auto lane = lane_of(comm);
    auto intent = intent_of(arguments, info, {lane->rank(), lane->size()});
    intent.together = when == Return::planned;
    intent.settings.measure &= intent.together;  // else the user's own work would be measured too
    intent.first = lane->next_call() == 1;
    mpi::Lane::Tag tag(lane, comm, &engine::Activity::progress);
    auto planning =
        engine::Steps::begun(planned(comm, std::move(lane), tag.value(), std::move(intent)));
    return when == Return::planned
               ? engine::Request::persistent(comm, std::move(tag), std::move(planning))
               : engine::Request::persistent_in_background(comm, std::move(tag),
                                                           std::move(planning));
}

}  // namespace carpool::group
