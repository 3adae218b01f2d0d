#pragma once

#include "engine/copy_list.hpp"
#include "engine/staging.hpp"
#include "mpi/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::engine {

// A message with a length header is a message with a length header: the lengths of its parts, then
// those parts that are not longer than all may be, end to end.

/// Bytes that lie end to end.
struct Piece {
    std::byte* at = nullptr;
    std::int64_t bytes = 0;
};

class OutgoingHeadedMessage {
public:
    OutgoingHeadedMessage(std::int64_t longest, std::size_t parts);

    void add_own(const mpi::Block& block);

    /// What comes with another message with a length header, which says at each start what it is.
    /// @pre lives as long as this
    void forward(const Piece* coming) { parts_.push_back(coming); }

    /// The most bytes that it may have. @pre all parts are added
    std::int64_t room() const;

    /// Puts it together; returns its length.
    std::int64_t load(std::byte* message) const;

private:
    Piece piece_of(const mpi::Block& block);
    bool rides(const Piece& part) const { return part.bytes <= longest_; }

    std::int64_t longest_;
    std::vector<const Piece*> parts_;
    std::vector<Piece> own_;  // of this rank's blocks; has room for all parts from the beginning
    CopyList gathers_;        // of own blocks that are not one piece
    std::vector<Staging> gathered_;
};

class IncomingHeadedMessage {
public:
    /// @param rank  this one
    IncomingHeadedMessage(std::int64_t longest, std::size_t parts, int rank)
        : longest_(longest), rank_(rank), parts_(parts) {}

    std::int64_t room() const;                 ///< the most bytes that it may have
    std::int64_t length_header_bytes() const;  ///< the least

    /// A part, as it has come last.
    const Piece* part(std::size_t i) const { return &parts_[i]; }

    /// Lets a part be unpacked to a block of the user's; it comes there by itself if it is long.
    /// @param source  whose block it is
    void deliver(std::size_t part, const mpi::Block& to, int source);

    /// Reads the length header. Throws MPI_ERR_ARG where a part is not as long as the block that it
    /// is for.
    void read(std::byte* message);

    /// @pre read
    void unpack() const;

private:
    struct Delivery {
        std::size_t part;
        Piece to;  // one piece of the user's memory, or what is scattered to it
        int source;
    };

    void check(const Delivery& delivery) const;

    std::int64_t longest_;
    int rank_;
    std::vector<Piece> parts_;
    std::vector<Delivery> deliveries_;
    CopyList scatters_;  // to blocks that are not one piece
    std::vector<Staging> scattered_;
};

}  // namespace carpool::engine
