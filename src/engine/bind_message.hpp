// SPDX-License-Identifier: MIT
#pragma once

#include "engine/copy_list.hpp"
#include "engine/headed_message.hpp"
#include "engine/transports.hpp"
#include "engine/typed_pieces.hpp"
#include "mpi/types/shape.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::engine {

/// How several blocks become one message that MPI sends.
enum class Packing {
    automatic,  ///< the cheaper of the following, by the cut-offs of the transports
    pack,       ///< copied into contiguous memory
    types,      ///< described to MPI by a derived datatype: the papers' zero-copy
};

/// A message bound to memory: the transfer, and the copies that go before a send or follow a
/// receive. Owns the staging memory and the datatype that the transfer uses.
struct BoundMessage final : Payload {
    Transfer transfer;
    CopyList copies;
    Staging staging;
    std::unique_ptr<TypedPieces> pieces = {};
    std::unique_ptr<OutgoingHeadedMessage> outgoing = {};  ///< set if a headed message is sent
    std::unique_ptr<IncomingHeadedMessage> incoming = {};  ///< set if a headed message is received

    bool reread = false;  ///< something besides the copies reads the staging memory

    std::int64_t load() override;
    std::int64_t load_into(std::byte* memory) override;
    void take_from(const std::byte* memory, std::int64_t bytes) override;

    /// Reads the length header of a headed message that has come.
    void read();

    /// Copies what has come to its blocks, unless it is there already. @pre read
    void unpack();

    /// Empties the message and makes it this one of a schedule. Its staging memory stays for the
    /// next use.
    void reset(const schedule::Message& message);

    /// Binds a receive to one block if its bytes are dense; else returns false and binds nothing.
    /// @pre reset
    bool bind_receive_in_place(const mpi::Block& block);

    /// The same for a send.
    bool bind_send_in_place(const mpi::Block& block);

    /// Makes the message use staging memory of at least so many bytes.
    void stage(std::int64_t bytes, const Transports& transports);

private:
    std::int64_t staging_bytes_ = 0;
    bool uses_staging_ = false;
    bool unpacked_ = false;
};

/// Where a block is, or will be: in the user's buffer, or contiguous in staging memory.
struct Location {
    const mpi::Block* block = nullptr;  ///< the user's block, or null
    std::byte* staged = nullptr;        ///< its staging memory otherwise
    std::int64_t bytes = 0;
    IncomingHeadedMessage* headed_message = nullptr;  ///< with which the block comes, or null
    std::size_t part = 0;                             ///< its number among that message's parts
};

/// Binds a message whose parts lie at these locations. @pre the message has been reset
void bind_send(BoundMessage& message, const std::vector<Location>& parts,
               const Transports& transports, Packing packing);

/// Binds a message whose parts go to these locations. A part without memory of its own stays in the
/// message's staging memory; `parts` is updated to tell where every part can be read.
/// @pre the message has been reset
void bind_receive(BoundMessage& message, std::vector<Location>& parts, const Transports& transports,
                  Packing packing);

/// The same for headed messages. A part that is longer than `longest` does not travel in them.
/// @param sources  per part, the rank whose block it is, if the block is for this rank
void bind_outgoing_headed_message(BoundMessage& message, const std::vector<Location>& parts,
                                  std::int64_t longest, const Transports& transports);
void bind_incoming_headed_message(BoundMessage& message, std::vector<Location>& parts,
                                  std::int64_t longest, std::span<const int> sources,
                                  const Transports& transports);

}  // namespace carpool::engine
