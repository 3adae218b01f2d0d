// SPDX-License-Identifier: MIT
#include "engine/headed_message.hpp"

#include "engine/receive_lengths.hpp"
#include "mpi/error.hpp"
#include "schedule/length_headers.hpp"

#include <cstring>
#include <string>

namespace carpool::engine {
namespace {

using schedule::LengthHeaderEntry;

std::int64_t length_header_bytes_of(std::size_t parts) {
    return static_cast<std::int64_t>(parts * sizeof(LengthHeaderEntry));
}

std::int64_t room_for(std::size_t parts, std::int64_t longest) {
    return length_header_bytes_of(parts) + static_cast<std::int64_t>(parts) * longest;
}

void copy_bytes(const std::byte* from, std::byte* to, std::int64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

mpi::Error broken_header(int rank, std::int64_t bytes) {
    return {MPI_ERR_OTHER, "a broken length header has come to rank " + std::to_string(rank) +
                               ": a part has " + std::to_string(bytes) + " bytes"};
}

/// The piece of a contiguous block.
Piece piece_at(const mpi::Block& block, std::int64_t offset) {
    return {block.address + offset, block.shape.bytes()};
}

}  // namespace

OutgoingHeadedMessage::OutgoingHeadedMessage(std::int64_t longest, std::size_t parts)
    : longest_(longest) {
    parts_.reserve(parts);
    own_.reserve(parts);
}

void OutgoingHeadedMessage::add_own(const mpi::Block& block) {
    parts_.push_back(&own_.emplace_back(piece_of(block)));
}

Piece OutgoingHeadedMessage::piece_of(const mpi::Block& block) {
    if (const auto offset = block.shape.piece()) return piece_at(block, *offset);
    Piece piece{nullptr, block.shape.bytes()};
    if (!is_short(piece)) return piece;
    piece.at = gathered_.emplace_back(memory_for(piece.bytes)).get();
    gathers_.gather(block, piece.at);
    return piece;
}

std::int64_t OutgoingHeadedMessage::room() const { return room_for(parts_.size(), longest_); }

std::int64_t OutgoingHeadedMessage::load(std::byte* message) const {
    gathers_.run();
    auto* entry = message;
    auto* end = message + length_header_bytes_of(parts_.size());
    for (const auto* part : parts_) {
        std::memcpy(entry, &part->bytes, sizeof(LengthHeaderEntry));
        entry += sizeof(LengthHeaderEntry);
        if (!is_short(*part)) continue;
        copy_bytes(part->at, end, part->bytes);
        end += part->bytes;
    }
    return end - message;
}

std::int64_t IncomingHeadedMessage::room() const { return room_for(parts_.size(), longest_); }
std::int64_t IncomingHeadedMessage::length_header_bytes() const {
    return length_header_bytes_of(parts_.size());
}

void IncomingHeadedMessage::deliver(std::size_t part, const mpi::Block& to, int source) {
    Piece piece{nullptr, to.shape.bytes()};
    if (const auto offset = to.shape.piece()) {
        piece = piece_at(to, *offset);
    } else if (piece.bytes <= longest_) {
        piece.at = scattered_.emplace_back(memory_for(piece.bytes)).get();
        scatters_.scatter(piece.at, to);
    }
    deliveries_.push_back({part, piece, source});
}

/// All headed messages between two ranks have the same number of parts, whatever these hold, so
/// every message begins with a valid length header.
void IncomingHeadedMessage::read(std::byte* message) {
    const auto* entry = message;
    auto* next = message + length_header_bytes();
    for (auto& part : parts_) {
        std::memcpy(&part.bytes, entry, sizeof(LengthHeaderEntry));
        if (part.bytes < 0) throw broken_header(rank_, part.bytes);
        entry += sizeof(LengthHeaderEntry);
        part.at = next;
        if (part.bytes <= longest_) next += part.bytes;
    }
    for (const auto& delivery : deliveries_) check(delivery);
}

void IncomingHeadedMessage::check(const Delivery& delivery) const {
    const auto& [part, to, source] = delivery;
    if (parts_[part].bytes != to.bytes)
        throw wrong_length(source, parts_[part].bytes, rank_, to.bytes);
}

void IncomingHeadedMessage::unpack() const {
    for (const auto& [part, to, source] : deliveries_)
        if (to.bytes <= longest_) copy_bytes(parts_[part].at, to.at, to.bytes);
    scatters_.run();
}

}  // namespace carpool::engine
