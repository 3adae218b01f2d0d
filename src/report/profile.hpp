#pragma once

#include "base/mutex.hpp"
#include "report/records.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace carpool::report {

/// Records which algorithms carried out the calls of this rank, how often and how long they took,
/// if CARPOOL_REPORT asks for a report. Rank 0 of MPI_COMM_WORLD writes the report in MPI_Finalize.
/// Any thread may call any function.
class Profile {
public:
    /// The profile of this process; null if no report is wanted.
    static Profile* wanted();

    /// The record of a key; added if there is none yet. It lives as long as the profile.
    Record& record(Record::Key key, const Record::Forecast& forecast);

    /// A counter of untimed starts, for a communication whose starts the record covers.
    std::shared_ptr<Untimed> untimed_of(Record& record);

    /// Adds the time of a start.
    /// @param times    the times of the record that it belongs to
    /// @param untimed  the number of untimed starts that this time stands for too; becomes zero
    void add(Times& times, double seconds, Untimed& untimed);

    /// Counts a call of MPI's that the host makes in an unchanged program.
    void leave_to_host(const std::string& operation, const std::string& why);

    void on_free();  ///< called in MPI_Finalize

private:
    base::Mutex mutex_;
    Records records_;
    HostCalls host_calls_;
    std::int64_t choices_ = 0;
};

}  // namespace carpool::report
