// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Messages of exchanges whose receivers do not know who sends: parcels, each with a header.
// All parts of a message are a multiple of 16 bytes long, so that parcels are aligned.

namespace carpool::sparse {

/// Stands before the bytes of a parcel.
struct ParcelHeader {
    std::int32_t origin;
    std::int32_t target;
    std::int64_t bytes;
    std::int32_t order;     ///< its place in the list of its origin
    std::int32_t straight;  ///< 1 if its bytes follow from the origin in a message of their own
    std::int64_t filling = 0;
};
static_assert(sizeof(ParcelHeader) == 32);

/// What an exchange demanded of the busiest rank, as far as a rank knows.
struct Demand {
    std::int64_t degree = 0;  ///< most parcels that a rank sends to others
    std::int64_t flow = 0;    ///< most bytes in the parcels that a rank sends to others

    void add(const Demand& other);
    friend bool operator==(const Demand&, const Demand&) = default;
};

/// What ranks send each other beside parcels. Every message carries it, so at the end of an
/// exchange by fixed partners all ranks know it.
struct Piggyback {
    Demand demand;
    std::optional<mpi::Mistake> mistake;  ///< the mistake of the lowest rank that has found one

    void add(const Piggyback& other);
};

/// A message that is being put together. The piggyback comes first, but changes until the message
/// is sent.
class OutgoingParcels {
public:
    OutgoingParcels();

    /// Adds the header of a parcel whose bytes are sent directly to its target.
    void announce(const ParcelHeader& header);

    /// Adds a parcel; returns where the caller must write its bytes at once.
    std::byte* add(const ParcelHeader& header);

    /// The whole message. @pre called once
    std::vector<std::byte> sealed(const Piggyback& piggyback);

private:
    std::vector<std::byte> message_;
};

/// Throws MPI_ERR_OTHER for a message that its sender cannot have meant.
[[noreturn]] void refuse(const char* what, std::int64_t number);

/// The length that each message has at least.
inline constexpr std::size_t least_message = 32;

/// The length of the message that begins with `head`. Throws if no message is so short.
/// @pre least_message bytes
std::int64_t length_of(std::span<const std::byte> head);

/// Reads a message. Throws an Error if the message says that it is longer than it is: its sender's
/// memory is broken then.
class IncomingParcels {
public:
    explicit IncomingParcels(std::span<const std::byte> message);

    const Piggyback& piggyback() const { return piggyback_; }

    struct Parcel {
        ParcelHeader header;
        const std::byte* bytes;  ///< in the message; null if they are sent directly
    };

    /// The next parcel, or nothing at the end.
    std::optional<Parcel> next();

private:
    Piggyback piggyback_;
    std::span<const std::byte> rest_;
};

}  // namespace carpool::sparse
