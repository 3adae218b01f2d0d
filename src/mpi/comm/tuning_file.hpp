// SPDX-License-Identifier: MIT
#pragma once

#include "choose/tuning_text.hpp"
#include "mpi/comm/gathering.hpp"

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace carpool::mpi {

/// The file name in CARPOOL_TUNING; null if there is none.
const char* tuning_file_name();

/// The text of a file, which must be a regular file and no longer than a tuning file may be. Throws
/// std::invalid_argument or std::filesystem::filesystem_error.
std::string tuning_text(const std::string& file);

/// Calls act, which uses the file. If that fails, prints a warning on stderr, once for each text,
/// because each communicator reads the file.
void warning_of_tuning(const std::string& file, const std::function<void()>& act);

/// The tuning file, which CARPOOL_TUNING names: the lowest rank of a communicator reads it, and all
/// others receive its text. The constructor returns at once; test() has to be called until it
/// returns true. If the file cannot be read or understood, that rank warns on stderr, and all ranks
/// go on as if there were no file.
class TuningFile {
public:
    /// @note Collective. @param comm  must outlive this object
    explicit TuningFile(MPI_Comm comm);
    TuningFile(const TuningFile&) = delete;
    TuningFile& operator=(const TuningFile&) = delete;

    bool test();

    /// What the file says, the same on all ranks; nothing if there is no file that is understood.
    /// @pre test() has returned true
    std::optional<choose::MachineTuning> take() { return std::move(tuned_); }

private:
    void read(const char* name);
    void hear(void* data, std::int64_t bytes);

    MPI_Comm comm_;
    std::int64_t bytes_ = 0;  ///< length of the text
    std::string text_;
    bool second_ = false;
    Gathering gathering_;
    std::optional<choose::MachineTuning> tuned_;
};

}  // namespace carpool::mpi
