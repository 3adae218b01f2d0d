// SPDX-License-Identifier: MIT
#pragma once

#include "engine/copy_list.hpp"
#include "engine/staging.hpp"
#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::engine {

// A headed message consists of a length header, which holds the lengths of all parts, and of the
// parts that are not longer than a common limit, end to end.

/// Bytes that lie end to end.
struct Piece {
    std::byte* at = nullptr;
    std::int64_t bytes = 0;
};

class OutgoingHeadedMessage {
public:
    OutgoingHeadedMessage(std::int64_t longest, std::size_t parts);

    void add_own(const mpi::Block& block);

    /// Adds a part that comes with another headed message, whose header tells at each start where
    /// the part is and how long.
    /// @pre `coming` lives as long as this
    void forward(const Piece* coming) { parts_.push_back(coming); }

    /// The most bytes that the message may have. @pre all parts are added
    std::int64_t room() const;

    /// Assembles the message; returns its length.
    std::int64_t load(std::byte* message) const;

private:
    Piece piece_of(const mpi::Block& block);
    bool is_short(const Piece& part) const { return part.bytes <= longest_; }

    std::int64_t longest_;
    std::vector<const Piece*> parts_;
    std::vector<Piece> own_;  // this rank's blocks; has room for all parts from the beginning
    CopyList gathers_;        // of own blocks that are not contiguous
    std::vector<Staging> gathered_;
};

class IncomingHeadedMessage {
public:
    /// @param rank  the rank of this process
    IncomingHeadedMessage(std::int64_t longest, std::size_t parts, int rank)
        : longest_(longest), rank_(rank), parts_(parts) {}

    std::int64_t room() const;                 ///< the most bytes that the message may have
    std::int64_t length_header_bytes() const;  ///< the least bytes that it may have

    /// A part, as it last came.
    const Piece* part(std::size_t i) const { return &parts_[i]; }

    /// Makes unpack() copy a part to a block of the user. A part that is too long for the message
    /// comes to the block as a rendezvous message.
    /// @param source  the rank whose block it is
    void deliver(std::size_t part, const mpi::Block& to, int source);

    /// Reads the length header. Throws MPI_ERR_ARG if a part is not as long as the block that it is
    /// for, and MPI_ERR_OTHER for a length below 0.
    void read(std::byte* message);

    /// @pre read
    void unpack() const;

private:
    struct Delivery {
        std::size_t part;
        Piece to;  // contiguous memory of the user, or memory that is scattered to it
        int source;
    };

    void check(const Delivery& delivery) const;

    std::int64_t longest_;
    int rank_;
    std::vector<Piece> parts_;
    std::vector<Delivery> deliveries_;
    CopyList scatters_;  // to blocks that are not contiguous
    std::vector<Staging> scattered_;
};

}  // namespace carpool::engine
