#include "interpose/host_calls.hpp"

#include "mpi/library.hpp"
#include "report/profile.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

namespace carpool::interpose {
namespace {

std::atomic<int> unprepared_calls = 0;

}  // namespace

bool reports_host_calls() {
    static const bool does = std::getenv("CARPOOL_REPORT") != nullptr;
    return does;
}

void add_host_call(std::string_view operation, std::string_view why) {
    if (!mpi::initialized_and_not_finalized()) return;
    if (auto* const profile = report::Profile::wanted())
        profile->leave_to_host(std::string(operation), std::string(why));
}

void note_unprepared(MpiOperation operation) {
    if (is_neighborhood(operation)) ++unprepared_calls;
}

int take_unprepared() { return unprepared_calls.exchange(0); }

}  // namespace carpool::interpose
