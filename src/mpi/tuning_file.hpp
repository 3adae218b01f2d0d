#pragma once

#include "choose/usual_costs.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>

namespace carpool::mpi {

/// The tuning file, which CARPOOL_TUNING names: the lowest rank of a communicator reads it, all
/// others hear what it says. Returns at once, and is tested until it is over. Of one that cannot be
/// read or is not understood that rank warns on stderr, and all go on as if there were none.
class TuningFile {
public:
    /// @note Collective. @param comm  lives on
    explicit TuningFile(MPI_Comm comm);
    TuningFile(const TuningFile&) = delete;
    TuningFile& operator=(const TuningFile&) = delete;

    bool test();

    /// None where there is no file that is understood, alike on all ranks. @pre test() has been
    /// true
    std::optional<choose::TunedCosts> take() { return std::move(costs_); }

private:
    void read(const char* name);
    void hear(void* data, std::int64_t bytes);

    MPI_Comm comm_;
    std::int64_t bytes_ = 0;  ///< of what is to be heard of it
    std::string text_;
    bool second_ = false;
    Request request_;
    std::optional<choose::TunedCosts> costs_;
};

}  // namespace carpool::mpi
