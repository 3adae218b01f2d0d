#pragma once

#include "choose/tuning_text.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace carpool::call {

/// What requests of this process have found to be the fastest, for the tuning file: rank 0 of
/// MPI_COMM_WORLD writes it there in MPI_Finalize, and requests of later runs begin with it. Any
/// thread may call anything.
class FoundChoices {
public:
    /// The one of this process; null where nothing is to be written.
    static std::shared_ptr<FoundChoices> wanted();

    void add(const std::string& problem, const std::string& taken);

    static std::shared_ptr<FoundChoices> on_dup(const std::shared_ptr<FoundChoices>&) {
        return nullptr;
    }
    void on_free();  ///< MPI ends

private:
    std::mutex mutex_;
    choose::Choices choices_;
};

}  // namespace carpool::call
