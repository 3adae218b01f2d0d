#pragma once

#include "mpi/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// What travels when receivers do not know who will send: messages of parcels, each with a header.
// All parts of a message are a multiple of 16 bytes long, so parcels lie aligned.

namespace carpool::sparse {

/// Before the bytes of a parcel.
struct ParcelHeader {
    std::int32_t origin;
    std::int32_t target;
    std::int64_t bytes;
    std::int32_t order;     ///< in the list of its origin
    std::int32_t straight;  ///< 1 where its bytes follow from the origin in a message of their own
    std::int64_t filling = 0;
};
static_assert(sizeof(ParcelHeader) == 32);

/// What an exchange asked of the ranks, as far as one knows.
struct Demand {
    std::int64_t degree = 0;  ///< most parcels that a rank sends to others
    std::int64_t flow = 0;    ///< most bytes in these

    void add(const Demand& other);
    friend bool operator==(const Demand&, const Demand&) = default;
};

/// What ranks tell each other beside parcels. It goes with every message, so at the end of an
/// exchange by fixed partners all ranks know it.
struct Piggyback {
    Demand demand;
    std::optional<mpi::Mistake> mistake;  ///< of the lowest rank that has found one

    void add(const Piggyback& other);
};

/// A message as it is put together. The piggyback comes first, but changes until the message
/// leaves.
class Outgoing {
public:
    Outgoing();

    /// A parcel whose bytes travel straight.
    void announce(const ParcelHeader& header);

    /// Room for the bytes of a parcel, which the caller fills in at once.
    std::byte* add(const ParcelHeader& header);

    /// The whole message. @pre called once
    std::vector<std::byte> sealed(const Piggyback& piggyback);

private:
    std::vector<std::byte> message_;
};

/// Bytes that each message has at least.
inline constexpr std::size_t least_message = 32;

/// Of the message that begins so. @pre least_message bytes
std::int64_t length_of(std::span<const std::byte> head);

/// Reads a message.
class Incoming {
public:
    explicit Incoming(std::span<const std::byte> message);

    const Piggyback& piggyback() const { return piggyback_; }

    struct Parcel {
        ParcelHeader header;
        const std::byte* bytes;  ///< in the message; null where they travel straight
    };

    /// The next one, or nothing at the end.
    std::optional<Parcel> next();

private:
    Piggyback piggyback_;
    std::span<const std::byte> rest_;
};

}  // namespace carpool::sparse
