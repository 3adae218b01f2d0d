#pragma once

#include "choose/usual_costs.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::mpi {

/// What is known of a machine's costs from a tuning file.
struct Tuned {
    std::optional<choose::TunedCosts> costs = {};
    std::optional<Error> mistake = {};  ///< in the file, alike on all ranks
};

/// The tuning file, which CARPOOL_TUNING names: the lowest rank of a communicator reads it, all
/// others hear what it says. Returns at once, and is tested until it is over.
class TuningFile {
public:
    /// @note Collective. @param comm  lives on
    explicit TuningFile(MPI_Comm comm);
    TuningFile(const TuningFile&) = delete;
    TuningFile& operator=(const TuningFile&) = delete;

    bool test();

    /// A file that cannot be read or is not understood is a mistake of class MPI_ERR_FILE.
    /// @pre test() has been true
    Tuned take() { return std::move(tuned_); }

private:
    /// What is told of it.
    enum class Kind : std::int64_t { none, text, complaint };

    void read(const char* name);
    void complain(std::string why);
    void hear(void* data, std::int64_t bytes);
    void conclude();
    void refuse(std::string_view name, std::string_view why);

    MPI_Comm comm_;
    std::int64_t header_[2] = {};  ///< kind, bytes
    std::string text_;
    bool second_ = false;
    Request request_;
    Tuned tuned_;
};

}  // namespace carpool::mpi
