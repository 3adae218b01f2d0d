// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "report/records.hpp"
#include "report/shared_time.hpp"

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace carpool::report {

/// Records which algorithms carried out the calls of this rank, how often and how long they took,
/// if CARPOOL_REPORT asks for a report; of an unchanged program also the calls that the host made.
/// Rank 0 of the job writes the report when MPI ends (mpi::Use). Any thread may call any function.
class Profile {
public:
    /// The profile of this process; null if no report is wanted. @pre mpi::in_use()
    static Profile* wanted();

    /// Says that the program knows nothing of Carpool.
    static void expect_unchanged_program() { unchanged_ = true; }

    /// The number of a communicator in the report. Local.
    int number_of(MPI_Comm comm);

    /// How many communicators have been made in that way, with this one.
    int number_of_making(const std::string& how);

    // Starts of communications.

    /// The record of a key; added if there is none yet. It lives as long as the profile.
    Record& record(const Record::Key& key, const Record::Forecast& forecast);

    /// Says that the record has starts of this size.
    void add_size(Record& record, std::int64_t bytes);

    /// A counter of untimed starts, for a communication whose starts the record covers.
    std::shared_ptr<Untimed> untimed_of(Record& record);

    /// A timed start begins. Returns the mark that its end needs.
    double begin_start(Clock::time_point now);

    /// It has ended.
    /// @param times    the times of the record that it belongs to
    /// @param untimed  the number of untimed starts that it stands for too; becomes zero
    TimeTaken end_start(Times& times, Clock::time_point began, double mark, Untimed& untimed);

    void withdraw_start(double mark);

    // Calls of an unchanged program.

    /// The program enters a call of MPI. Returns the mark that leave_call() needs.
    double enter_call(Clock::time_point now);

    /// The program leaves it. Returns the seconds that the call is charged.
    double leave_call(Clock::time_point now, double mark);

    /// The calls of a key, which live as long as the profile.
    Calls& calls(const Calls::Key& key, std::int64_t bytes);

    /// Adds a call that has ended.
    void add_ended(Calls& calls, const TimeTaken& time);

    /// Adds a call whose end is not known yet, or more time that the program spends inside it.
    void add_open(Calls& calls, int number, double charged);

    /// Counts a call that the host makes. @param remedy  as in HostCalls
    HostCalls& leave_to_host(const HostCalls::Key& key, std::string_view remedy);

    /// Charges more time to calls that the host made.
    void charge(HostCalls& calls, double charged);

    void on_free();  ///< called when MPI ends

private:
    static inline bool unchanged_ = false;

    base::Mutex mutex_;
    RecordedCalls all_;
    SharedTime starts_;
    SharedTime calls_;
    std::map<std::string, int> makings_;
    std::int64_t choices_ = 0;
};

}  // namespace carpool::report
