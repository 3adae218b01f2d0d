#include "interpose/host_calls.hpp"

#include "interpose/comm_use.hpp"
#include "report/profile.hpp"

#include <atomic>
#include <cstddef>
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

void note_host_call(MpiOperation operation, std::string_view why) {
    if (!reports_host_calls() || !CommUse::runs()) return;
    if (auto* const profile = report::Profile::wanted())
        profile->leave_to_host(names_of_operations[static_cast<std::size_t>(operation)],
                               std::string(why));
}

void note_unprepared(MpiOperation operation) {
    if (operation <= MpiOperation::neighbor_allgatherv) ++unprepared_calls;
}

int take_unprepared() { return unprepared_calls.exchange(0); }

}  // namespace carpool::interpose
