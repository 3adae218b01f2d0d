// SPDX-License-Identifier: MIT
#include "report/profile.hpp"

#include "mpi/attribute.hpp"
#include "mpi/use.hpp"
#include "report/comm_label.hpp"
#include "report/report.hpp"
#include "report/run_time.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

namespace carpool::report {
namespace {

/// The number of a communicator; an attribute of it.
struct CommNumber {
    explicit CommNumber(int number) : value(number) {}
    int value;
};

/// Writes the report at the end of this use of MPI, with what was recorded in all uses.
void report_at_end(const std::shared_ptr<Profile>& profile) {
    static std::atomic<int> attached = 0;
    if (mpi::Use::is_first(attached))
        mpi::Attribute<Profile>::attach(mpi::Use::own_comm(), profile);
}

}  // namespace

Profile* Profile::wanted() {
    static const bool wanted = report_wanted();
    if (!wanted) return nullptr;
    static auto* const one = new std::shared_ptr(std::make_shared<Profile>());  // lives after main
    report_at_end(*one);
    return one->get();
}

int Profile::number_of(MPI_Comm comm) {
    if (const auto* const known = mpi::Attribute<CommNumber>::peek(comm)) return known->value;
    auto label = label_of(comm);
    std::unique_lock lock(mutex_);
    const int number = all_.comms.add(std::move(label));
    lock.unlock();
    return mpi::Attribute<CommNumber>::of(comm, number)->value;
}

int Profile::number_of_making(const std::string& how) {
    const std::lock_guard lock(mutex_);
    return ++makings_[how];
}

Record& Profile::record(const Record::Key& key, const Record::Forecast& forecast) {
    const std::lock_guard lock(mutex_);
    auto& record = all_.records.try_emplace(key, Record{forecast}).first->second;
    record.chosen = ++choices_;
    return record;
}

void Profile::add_size(Record& record, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    record.bytes.add({bytes, bytes});
}

std::shared_ptr<Untimed> Profile::untimed_of(Record& record) {
    const std::lock_guard lock(mutex_);
    return record.starts.untimed.another();
}

double Profile::begin_start(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    return starts_.begin(now);
}

TimeTaken Profile::end_start(Times& times, Clock::time_point began, double mark, Untimed& untimed) {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    const TimeTaken time{std::chrono::duration<double>(now - began).count(),
                         starts_.end(now, mark)};
    times.add(time, 1 + untimed.exchange(0, std::memory_order_relaxed));
    return time;
}

void Profile::withdraw_start(double mark) {
    const std::lock_guard lock(mutex_);
    starts_.end(Clock::now(), mark);
}

double Profile::enter_call(Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    return calls_.begin(now);
}

double Profile::leave_call(Clock::time_point now, double mark) {
    const std::lock_guard lock(mutex_);
    return calls_.end(now, mark);
}

Calls& Profile::calls(const Calls::Key& key, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    auto& calls = all_.calls[key];
    calls.bytes.add({bytes, bytes});
    return calls;
}

void Profile::add_ended(Calls& calls, const TimeTaken& time) {
    const std::lock_guard lock(mutex_);
    auto& [cold, warm, untimed] = calls.ended;
    (cold.count() == 0 ? cold : warm).add(time);
}

void Profile::add_open(Calls& calls, int number, double charged) {
    const std::lock_guard lock(mutex_);
    calls.open += number;
    calls.open_charged += charged;
}

HostCalls& Profile::leave_to_host(const HostCalls::Key& key, std::string_view remedy) {
    const std::lock_guard lock(mutex_);
    auto& calls = all_.host_calls[key];
    if (++calls.count == 1) calls.remedy = remedy;
    return calls;
}

void Profile::charge(HostCalls& calls, double charged) {
    const std::lock_guard lock(mutex_);
    calls.charged += charged;
}

void Profile::on_free() {
    if (mpi::Use::rank() != 0) return;
    const std::lock_guard lock(mutex_);
    all_.run_seconds = seconds_of_run();
    all_.unchanged = unchanged_;
    report(all_);
}

}  // namespace carpool::report
