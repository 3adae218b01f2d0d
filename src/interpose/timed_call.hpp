// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/call_sizes.hpp"
#include "interpose/mpi_operations.generated.hpp"
#include "mpi/error.hpp"
#include "report/records.hpp"
#include "report/report.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace carpool::interpose {

/// One blocking or nonblocking call of the program, from its beginning. A report lists it by who
/// makes it, with its time and size. Without a report it costs one test.
class TimedCall {
public:
    TimedCall(MpiOperation operation, MPI_Comm comm) {
        if (report::report_is_asked) begin(operation, comm);
    }

    /// The host makes the call. @param why  returns the text of a reason (reasons.hpp)
    template <typename Why>
    void leave_to_host(Why why) {
        if (open_ != nullptr) note_reason(why());
    }

    /// The host makes the call since Carpool has refused it.
    void leave_to_host(const mpi::Error& error) {
        if (open_ != nullptr) keep_text(error);
    }

    /// The call has been made, with this code, which is returned. One that has failed is not
    /// listed.
    /// @param describe  returns the call as src/api describes it
    /// @param request   that of a nonblocking call
    template <typename Describe>
    int made_by(report::Maker maker, int code, Describe describe,
                const MPI_Request* request = nullptr) {
        if (open_ == nullptr || code != MPI_SUCCESS) return code;
        leave();
        mpi::mistake_in(
            [&] { add(maker, size_for_report(describe().arguments, extent()), request); });
        return code;
    }

private:
    struct Open;
    struct Close {
        void operator()(Open* open) const;
    };

    void begin(MpiOperation operation, MPI_Comm comm);
    void note_reason(std::string_view why);
    void keep_text(const mpi::Error& error);
    void leave();
    const CommExtent& extent() const;
    void add(report::Maker maker, std::int64_t bytes, const MPI_Request* request);

    std::unique_ptr<Open, Close> open_;  // null without a report
};

}  // namespace carpool::interpose
