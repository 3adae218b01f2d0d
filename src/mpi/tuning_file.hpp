#pragma once

#include "choose/tuning_text.hpp"
#include "mpi/gathering.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace carpool::mpi {

/// As CARPOOL_TUNING names it; null where it names none.
const char* tuning_file_name();

/// A text that must be a regular file's, no longer than a tuning file may be. Throws
/// std::invalid_argument or std::filesystem::filesystem_error.
std::string tuning_text(const std::string& file);

/// Does something with it. Of what goes wrong there is a warning on stderr, once for each thing:
/// each communicator reads the file.
void warning_of_tuning(const std::string& file, const std::function<void()>& act);

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
    std::optional<choose::Tuned> take() { return std::move(tuned_); }

private:
    void read(const char* name);
    void hear(void* data, std::int64_t bytes);

    MPI_Comm comm_;
    int ranks_ = 0;
    std::int64_t bytes_ = 0;  ///< of what is to be heard of it
    std::string text_;
    bool second_ = false;
    Gathering gathering_;
    std::optional<choose::Tuned> tuned_;
};

}  // namespace carpool::mpi
