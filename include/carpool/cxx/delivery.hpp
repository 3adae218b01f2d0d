// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/request.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace carpool {

/// A block that a sparse exchange has brought: the rank that sent it, and its bytes.
struct Message {
    int source;
    std::span<const std::byte> bytes;

    /// The bytes as values of T, which may be read as long as the delivery lives. Throws
    /// std::length_error if they are not a whole number of values.
    template <typename T>
        requires std::is_trivially_copyable_v<T>
    std::span<const T> as() const {
        static_assert(alignof(T) <= 16, "a delivery aligns blocks to 16 bytes");
        if (bytes.size() % sizeof(T) != 0)
            throw std::length_error("a block of " + std::to_string(bytes.size()) +
                                    " bytes, expected values of " + std::to_string(sizeof(T)));
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

/// The blocks that a sparse exchange has brought, sorted by source. The destructor frees them. No
/// call of it is collective.
class Delivery {
public:
    Delivery() = default;
    explicit Delivery(Carpool_Delivery delivery) : delivery_(delivery) {}

    /// The number of blocks.
    int size() const {
        int count = 0;
        check(Carpool_Delivery_count(delivery_.get(), &count), "Carpool_Delivery_count");
        return count;
    }

    /// Block i, from 0 on.
    Message operator[](int i) const {
        int source = MPI_PROC_NULL;
        MPI_Count bytes = 0;
        const void* data = nullptr;
        check(Carpool_Delivery_get(delivery_.get(), i, &source, &bytes, &data),
              "Carpool_Delivery_get");
        return {source, {static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes)}};
    }

    Carpool_Delivery get() const { return delivery_.get(); }
    Carpool_Delivery* address() { return delivery_.address(); }

private:
    detail::Owned<detail::DeliveryKind> delivery_;
};

/// A sparse exchange under way. The destructor waits for it if the program has not.
class [[nodiscard]] PendingDelivery {
public:
    /// True once the exchange has ended.
    bool test() { return pending_.test(); }

    /// Waits for the exchange, and returns what it has brought. Called once.
    Delivery wait() {
        pending_.wait();
        return std::move(*delivery_);
    }

    Carpool_Delivery* delivery() { return delivery_->address(); }
    MPI_Request* address() { return pending_.address(); }

private:
    std::unique_ptr<Delivery> delivery_ = std::make_unique<Delivery>();  // stays where it is
    Pending pending_;                                                    // ends first
};

}  // namespace carpool
