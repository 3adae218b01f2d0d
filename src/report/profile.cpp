#include "report/profile.hpp"

#include "mpi/attribute.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "report/report.hpp"

#include <atomic>

namespace carpool::report {

Profile* Profile::wanted() {
    static Profile* const one =
        report_wanted() ? mpi::Attribute<Profile>::of(MPI_COMM_SELF).get() : nullptr;
    return one;
}

Record& Profile::record(Record::Key key, const Record::Forecast& forecast) {
    if (key.subject.comm.empty()) key.subject.comm = "(unnamed)";
    const std::lock_guard lock(mutex_);
    auto& record = records_.try_emplace(key, Record{forecast}).first->second;
    record.chosen = ++choices_;
    return record;
}

std::shared_ptr<Untimed> Profile::untimed_of(Record& record) {
    const std::lock_guard lock(mutex_);
    return record.starts.untimed.another();
}

void Profile::add(Times& times, double seconds, Untimed& untimed) {
    const std::lock_guard lock(mutex_);
    times.add(seconds, 1 + untimed.exchange(0, std::memory_order_relaxed));
}

void Profile::leave_to_host(const std::string& operation, const std::string& why) {
    const std::lock_guard lock(mutex_);
    ++host_calls_[{operation, why}];
}

void Profile::on_free() {
    if (mpi::rank_in_world() != 0) return;
    const std::lock_guard lock(mutex_);
    report(records_, host_calls_);
}

}  // namespace carpool::report
