#pragma once

#include "base/mutex.hpp"
#include "report/records.hpp"

#include <mpi.h>

#include <memory>
#include <mutex>
#include <string>

namespace carpool::report {

/// What calls were done by, how often and for how long, on this rank: the program's report, where
/// CARPOOL_REPORT wants one. Rank 0 of MPI_COMM_WORLD writes it in MPI_Finalize. Any thread may
/// call anything.
class Profile {
public:
    /// The one of this process; null where no report is wanted.
    static Profile* wanted();

    /// @return lives as long as the profile
    Record& record(Record::Key key, const Record::Forecast& forecast);

    /// For a communication that does what the record is of.
    std::shared_ptr<Untimed> untimed_of(Record& record);

    /// @param times    those of the record that it belongs to
    /// @param untimed  starts that this one stands for too, none from now on
    void add(Times& times, double seconds, Untimed& untimed);

    void on_free();  ///< MPI ends

private:
    base::Mutex mutex_;
    Records records_;
};

}  // namespace carpool::report
