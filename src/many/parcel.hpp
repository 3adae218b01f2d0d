#pragma once

#include "mpi/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

// What travels when receivers do not know who will send: messages of parcels, each with a label.
// All parts of a message are a multiple of 16 bytes long, so parcels lie aligned.

namespace carpool::many {

/// Before the bytes of a parcel.
struct Label {
    std::int32_t origin;
    std::int32_t target;
    std::int64_t bytes;
    std::int32_t order;     ///< in the list of its origin
    std::int32_t straight;  ///< 1 where its bytes follow from the origin in a message of their own
    std::int64_t filling = 0;
};
static_assert(sizeof(Label) == 32);

/// What an exchange asked of the ranks, as far as one knows.
struct Account {
    std::int64_t degree = 0;  ///< most parcels that a rank sends to others
    std::int64_t flow = 0;    ///< most bytes in these

    void add(const Account& other);
    friend bool operator==(const Account&, const Account&) = default;
};

/// What ranks tell each other beside parcels: it passes on with every message, so at the end of an
/// exchange through all partners everybody knows it.
struct News {
    Account account;
    std::optional<mpi::Mistake> mistake;  ///< of the lowest rank that has found one

    void add(const News& other);
};

/// A message as it is put together. News come first but change until it leaves.
class Outgoing {
public:
    Outgoing();

    /// A parcel whose bytes travel straight.
    void announce(const Label& label);

    /// Room for the bytes of a parcel, which the caller fills in at once.
    std::byte* add(const Label& label);

    /// The whole message. @pre called once
    std::vector<std::byte> sealed(const News& news);

private:
    std::vector<std::byte> message_;
};

/// Of the message that begins so. @pre at least 48 bytes, which each has
std::int64_t length_of(std::span<const std::byte> head);

/// Reads a message.
class Incoming {
public:
    explicit Incoming(std::span<const std::byte> message);

    const News& news() const { return news_; }

    struct Parcel {
        Label label;
        const std::byte* bytes;  ///< in the message; null where they travel straight
    };

    /// The next one, or nothing at the end.
    std::optional<Parcel> next();

private:
    News news_;
    std::span<const std::byte> rest_;
};

}  // namespace carpool::many
