#pragma once

#include "engine/transport.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::engine {

/// That a rank sends so many bytes to another which expects so many others; less than none: more
/// than these.
mpi::Error wrong_length(int source, std::int64_t sent, int target, std::int64_t expected);

/// Whether the messages of a schedule are as long as its receivers expect.
class ReceiveLengths {
public:
    /// @param rank  this one
    ReceiveLengths(const TransferList& transfers, int rank);

    /// Throws MPI_ERR_ARG if a message has another length. @param watched  the place of the receive
    /// @param code  of the test that has given the status
    void check(std::size_t watched, const MPI_Status& status, int code) const;

    /// The same of what has come without a status. @param length  in bytes
    void check(std::size_t watched, std::int64_t length) const;

private:
    struct Expected {
        int peer;
        std::int64_t bytes;
        std::int64_t least;
    };

    int rank_;
    std::vector<Expected> expected_;
};

}  // namespace carpool::engine
