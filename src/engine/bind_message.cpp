// SPDX-License-Identifier: MIT
#include "engine/bind_message.hpp"

#include "base/expects.hpp"
#include "mpi/error.hpp"
#include "mpi/types/byte_type.hpp"
#include "mpi/types/contiguous.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace carpool::engine {
namespace {

std::int64_t bytes_of(const std::vector<Location>& parts) {
    std::int64_t sum = 0;
    for (const auto& part : parts) sum += part.bytes;
    return sum;
}

/// The memory of a part if it is contiguous.
std::byte* piece_of(const Location& part) {
    if (part.block == nullptr) return part.staged;
    const auto offset = part.block->shape.piece();
    return offset ? part.block->address + *offset : nullptr;
}

/// The start of all parts if together they are contiguous; any address but null if they are empty.
std::byte* whole_piece(const std::vector<Location>& parts) {
    static std::byte nothing;
    if (parts.size() == 1 && parts.front().bytes > 0) return piece_of(parts.front());
    std::byte* start = &nothing;
    std::byte* end = nullptr;
    for (const auto& part : parts) {
        if (part.bytes == 0) continue;
        if (end == nullptr) start = end = piece_of(part);
        if (end == nullptr || piece_of(part) != end) return nullptr;
        end += part.bytes;
    }
    return start;
}

/// MPI_Pack is no faster than sending by datatype.
bool readable(const std::vector<Location>& parts) {
    return std::all_of(parts.begin(), parts.end(), [](const Location& part) {
        return part.block == nullptr || part.block->shape.runs();
    });
}

double pieces_of(const std::vector<Location>& parts) {
    double pieces = 0;
    for (const auto& part : parts)
        if (part.bytes > 0)
            pieces += part.block != nullptr
                          ? static_cast<double>(part.bytes) / part.block->shape.mean_piece()
                          : 1.0;
    return pieces;
}

bool is_short(const std::vector<Location>& parts, const choose::CutOffs& below) {
    const auto bytes = bytes_of(parts);
    return bytes < below.packed_below ||
           bytes < below.packed_below_per_part * static_cast<std::int64_t>(parts.size()) ||
           static_cast<double>(bytes) <
               static_cast<double>(below.packed_below_per_piece) * pieces_of(parts);
}

/// Whether packing is preferred where the transport leaves the choice.
bool prefers_packing(const std::vector<Location>& parts, Packing packing,
                     const choose::CutOffs& cut_offs) {
    switch (packing) {
        case Packing::automatic:
            return readable(parts) && is_short(parts, cut_offs);
        case Packing::pack:
            return true;
        case Packing::types:
            return false;
    }
    return true;
}

void transfer_piece(BoundMessage& message, std::byte* start, std::int64_t bytes) {
    message.transfer.memory = start;
    message.transfer.bytes = message.transfer.least_bytes = bytes;
}

/// The whole message lies in staging memory.
void transfer_staged(BoundMessage& message, std::int64_t bytes, const Transports& transports) {
    message.stage(bytes, transports);
    transfer_piece(message, message.staging.get(), bytes);
}

/// One struct type of all parts at absolute addresses, as the papers build it.
void transfer_types(BoundMessage& message, const std::vector<Location>& parts) {
    std::vector<mpi::Datatype> types;
    std::vector<MPI_Datatype> raw;
    std::vector<MPI_Aint> addresses;
    for (const auto& part : parts) {
        const auto* const block = part.block;
        types.push_back(block != nullptr ? mpi::byte_type(block->shape)
                                         : mpi::contiguous(part.bytes, MPI_BYTE));
        raw.push_back(types.back().get());
        MPI_Aint address = 0;
        mpi::check(MPI_Get_address(block != nullptr ? block->address : part.staged, &address),
                   "MPI_Get_address");
        addresses.push_back(address);
    }
    const std::vector<int> lengths(parts.size(), 1);
    message.pieces = std::make_unique<TypedPieces>();
    auto& type = message.pieces->type;
    mpi::check(MPI_Type_create_struct(static_cast<int>(parts.size()), lengths.data(),
                                      addresses.data(), raw.data(), type.out()),
               "MPI_Type_create_struct");
    mpi::check(MPI_Type_commit(type.out()), "MPI_Type_commit");
    message.transfer.pieces = message.pieces.get();
    message.transfer.bytes = message.transfer.least_bytes = bytes_of(parts);
}

}  // namespace

void bind_send(BoundMessage& message, const std::vector<Location>& parts,
               const Transports& transports, Packing packing) {
    const int peer = message.transfer.peer;
    CARPOOL_EXPECTS(!parts.empty(), peer);
    const auto bytes = bytes_of(parts);
    if (auto* start = whole_piece(parts)) {
        transfer_piece(message, start, bytes);
        message.transfer.whole = true;
    } else if (transports.packs(peer, bytes) ||
               prefers_packing(parts, packing, transports.cut_offs())) {
        transfer_staged(message, bytes, transports);
        auto* to = message.staging.get();
        for (const auto& part : parts) {
            if (part.block != nullptr)
                message.copies.gather(*part.block, to);
            else
                message.copies.contiguous(part.staged, to, part.bytes);
            to += part.bytes;
        }
        message.copies.compact();
    } else {
        transfer_types(message, parts);
    }
}

void bind_receive(BoundMessage& message, std::vector<Location>& parts, const Transports& transports,
                  Packing packing) {
    const int peer = message.transfer.peer;
    CARPOOL_EXPECTS(!parts.empty(), peer);
    const auto bytes = bytes_of(parts);
    const bool all_final = [&parts] {
        for (const auto& part : parts)
            if (part.block == nullptr) return false;
        return true;
    }();
    if (auto* start = all_final ? whole_piece(parts) : nullptr)
        return transfer_piece(message, start, bytes);
    const bool packed =
        transports.unpacks(peer, bytes) || prefers_packing(parts, packing, transports.cut_offs());
    const bool staged = packed || !all_final;
    if (staged) message.stage(bytes, transports);
    auto* next = staged ? message.staging.get() : nullptr;
    for (auto& part : parts) {
        if (packed && part.block != nullptr) {
            message.copies.scatter(next, *part.block);
            part.block = nullptr;
        }
        if (part.block == nullptr) part.staged = next;
        if (staged) next += part.bytes;
    }
    message.copies.compact();
    if (auto* start = whole_piece(parts))
        transfer_piece(message, start, bytes);
    else
        transfer_types(message, parts);
}

void bind_outgoing_headed_message(BoundMessage& message, const std::vector<Location>& parts,
                                  std::int64_t longest, const Transports& transports) {
    message.outgoing = std::make_unique<OutgoingHeadedMessage>(longest, parts.size());
    for (const auto& part : parts) {
        if (part.headed_message != nullptr)
            message.outgoing->forward(part.headed_message->part(part.part));
        else
            message.outgoing->add_own(*part.block);
    }
    transfer_staged(message, message.outgoing->room(), transports);
}

void bind_incoming_headed_message(BoundMessage& message, std::vector<Location>& parts,
                                  std::int64_t longest, std::span<const int> sources,
                                  const Transports& transports) {
    message.incoming =
        std::make_unique<IncomingHeadedMessage>(longest, parts.size(), transports.rank());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].block != nullptr) message.incoming->deliver(i, *parts[i].block, sources[i]);
        parts[i] = {nullptr, nullptr, longest, message.incoming.get(), i};
    }
    transfer_staged(message, message.incoming->room(), transports);
    message.transfer.least_bytes = message.incoming->length_header_bytes();
}

bool BoundMessage::bind_receive_in_place(const mpi::Block& block) {
    if (!block.shape || !block.shape.is_dense()) return false;
    transfer_piece(*this, block.address, block.shape.bytes());
    return true;
}

bool BoundMessage::bind_send_in_place(const mpi::Block& block) {
    transfer.whole = bind_receive_in_place(block);
    return transfer.whole;
}

void BoundMessage::reset(const schedule::Message& message) {
    transfer = {.peer = message.peer,
                .rendezvous = message.rendezvous,
                .payload = this,
                .content = transfer.content};
    copies.clear();
    pieces.reset();
    outgoing.reset();
    incoming.reset();
    uses_staging_ = unpacked_ = false;
}

void BoundMessage::stage(std::int64_t bytes, const Transports& transports) {
    uses_staging_ = true;
    if (staging && bytes <= staging_bytes_) return;
    staging = transports.staging(transfer.peer, bytes);
    staging_bytes_ = bytes;
}

std::int64_t BoundMessage::load() {
    if (outgoing) return outgoing->load(staging.get());
    copies.run();
    return transfer.bytes;
}

std::int64_t BoundMessage::load_into(std::byte* memory) {
    if (outgoing) return outgoing->load(memory);
    if (uses_staging_)
        copies.run({0, memory - staging.get()});
    else if (transfer.bytes > 0)
        std::memcpy(memory, transfer.memory, static_cast<std::size_t>(transfer.bytes));
    return transfer.bytes;
}

void BoundMessage::take_from(const std::byte* memory, std::int64_t bytes) {
    CARPOOL_EXPECTS(transfer.pieces == nullptr, transfer.peer, bytes);
    unpacked_ = uses_staging_ && !reread && !incoming;
    if (unpacked_)
        copies.run({memory - staging.get(), 0});
    else if (bytes > 0)
        std::memcpy(transfer.memory, memory, static_cast<std::size_t>(bytes));
}

void BoundMessage::read() {
    if (incoming) incoming->read(staging.get());
}

void BoundMessage::unpack() {
    if (std::exchange(unpacked_, false)) return;
    if (incoming)
        incoming->unpack();
    else
        copies.run();
}

}  // namespace carpool::engine
