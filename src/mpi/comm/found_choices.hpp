// SPDX-License-Identifier: MIT
#pragma once

#include "choose/tuning_text.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace carpool::mpi {

/// What measurements in this process have found to be the fastest. If a tuning file is named, rank
/// 0 of the job adds the choices to it when MPI ends (mpi::Use), for later runs. Any thread may
/// call any function.
class FoundChoices {
public:
    static std::shared_ptr<FoundChoices> of_process();

    void add(const std::string& problem, const std::string& taken);
    std::optional<std::string> find(const std::string& problem);

    void on_free();  ///< called when MPI ends

private:
    std::mutex mutex_;
    choose::Choices choices_;
};

}  // namespace carpool::mpi
