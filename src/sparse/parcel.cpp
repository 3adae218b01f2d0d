// SPDX-License-Identifier: MIT
#include "sparse/parcel.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace carpool::sparse {

void refuse(const char* what, std::int64_t number) {
    throw mpi::Error(MPI_ERR_OTHER, std::string("a broken message of an exchange has come: ") +
                                        what + " is " + std::to_string(number));
}

namespace {

constexpr std::size_t alignment = 16;

std::size_t padded(std::int64_t bytes) {
    return (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
}

/// The beginning of a message; the text of a mistake follows. It is short enough for a message of
/// one short parcel to fit into a ring entry.
struct Preamble {
    std::int64_t bytes = 0;  ///< the bytes of the whole message
    std::int64_t flow = 0;   ///< the largest demanded
    std::int32_t degree = 0;
    std::int32_t mistaken_rank = 0;
    std::int32_t error_class = 0;
    std::int32_t text_bytes = -1;  ///< -1 without a mistake
};
static_assert(sizeof(Preamble) == least_message && sizeof(Preamble) % alignment == 0);

template <typename T>
void append(std::vector<std::byte>& message, const T& object) {
    const auto at = message.size();
    message.resize(at + sizeof(T));
    std::memcpy(message.data() + at, &object, sizeof(T));
}

template <typename T>
T taken(std::span<const std::byte>& message) {
    if (message.size() < sizeof(T)) refuse("the length of its last part", std::ssize(message));
    T object;
    std::memcpy(&object, message.data(), sizeof(T));
    message = message.subspan(sizeof(T));
    return object;
}

/// Takes that many bytes, and those up to the next part.
std::span<const std::byte> taken(std::span<const std::byte>& message, std::int64_t bytes) {
    if (bytes < 0 || bytes > std::ssize(message) || padded(bytes) > message.size())
        refuse("the length of a part", bytes);
    const auto part = message.first(static_cast<std::size_t>(bytes));
    message = message.subspan(padded(bytes));
    return part;
}

}  // namespace

void Demand::add(const Demand& other) {
    degree = std::max(degree, other.degree);
    flow = std::max(flow, other.flow);
}

void Piggyback::add(const Piggyback& other) {
    demand.add(other.demand);
    if (other.mistake && (!mistake || other.mistake->rank < mistake->rank)) mistake = other.mistake;
}

OutgoingParcels::OutgoingParcels() {
    constexpr std::size_t short_parcel = sizeof(ParcelHeader) + 64;
    message_.reserve(sizeof(Preamble) + short_parcel);
    message_.resize(sizeof(Preamble));
}

void OutgoingParcels::announce(const ParcelHeader& header) { append(message_, header); }

std::byte* OutgoingParcels::add(const ParcelHeader& header) {
    append(message_, header);
    const auto at = message_.size();
    message_.resize(at + padded(header.bytes));
    return message_.data() + at;
}

std::vector<std::byte> OutgoingParcels::sealed(const Piggyback& piggyback) {
    Preamble preamble{.flow = piggyback.demand.flow,
                      .degree = static_cast<std::int32_t>(piggyback.demand.degree)};
    if (const auto& mistake = piggyback.mistake) {
        const auto* const text = reinterpret_cast<const std::byte*>(mistake->text.data());
        const auto bytes = static_cast<std::int32_t>(mistake->text.size());
        preamble.mistaken_rank = mistake->rank;
        preamble.error_class = mistake->error_class;
        preamble.text_bytes = bytes;
        const auto at = message_.begin() + sizeof(Preamble);
        std::copy_n(text, bytes, message_.insert(at, padded(bytes), std::byte{0}));
    }
    preamble.bytes = static_cast<std::int64_t>(message_.size());
    std::memcpy(message_.data(), &preamble, sizeof preamble);
    return std::move(message_);
}

std::int64_t length_of(std::span<const std::byte> head) {
    const auto bytes = taken<Preamble>(head).bytes;
    if (bytes < std::int64_t{least_message}) refuse("its length", bytes);
    return bytes;
}

IncomingParcels::IncomingParcels(std::span<const std::byte> message) : rest_(message) {
    const auto preamble = taken<Preamble>(rest_);
    piggyback_.demand = {preamble.degree, preamble.flow};
    if (preamble.text_bytes < 0) return;
    const auto text = taken(rest_, preamble.text_bytes);
    piggyback_.mistake =
        mpi::Mistake{preamble.mistaken_rank, preamble.error_class,
                     std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

std::optional<IncomingParcels::Parcel> IncomingParcels::next() {
    if (rest_.empty()) return std::nullopt;
    Parcel parcel{taken<ParcelHeader>(rest_), nullptr};
    const bool is_straight = parcel.header.straight != 0;
    if (is_straight && parcel.header.bytes < 0)
        refuse("the length of a parcel", parcel.header.bytes);
    if (!is_straight) parcel.bytes = taken(rest_, parcel.header.bytes).data();
    return parcel;
}

}  // namespace carpool::sparse
