// SPDX-License-Identifier: MIT
#pragma once

#include "traffic.hpp"
#include "world.hpp"

#include <carpool/sparse.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carpool::tests {

/// The parcels of a rank in one exchange. Some targets get two, of which the second is empty.
struct Parcels {
    template <class Rng>
    Parcels(const Traffic& t, int number, Rng rng) : traffic(t), round(number) {
        const auto bytes = t.sent_by(world_rank());
        for (int target = 0; target < t.ranks; ++target)
            if (bytes[static_cast<std::size_t>(target)] > 0) targets.push_back(target);
        std::shuffle(targets.begin(), targets.end(), rng);
        for (const int target : targets) add(target, bytes[static_cast<std::size_t>(target)]);
        if (is_doubled()) {
            targets.push_back(targets.front());
            add(targets.front(), 0);
        }
    }

    bool is_doubled() const { return round % 3 == 0 && !targets.empty(); }

    int exchange(MPI_Comm comm, Carpool_Delivery* delivery) const {
        return Carpool_Sparse_exchange(static_cast<int>(targets.size()), targets.data(),
                                       memory.data(), counts.data(), displs.data(), MPI_BYTE, comm,
                                       delivery);
    }
    int begin(MPI_Comm comm, Carpool_Delivery* delivery, MPI_Request* request) const {
        return Carpool_Isparse_exchange(static_cast<int>(targets.size()), targets.data(),
                                        memory.data(), counts.data(), displs.data(), MPI_BYTE, comm,
                                        delivery, request);
    }

    /// Empty if the delivery has exactly the parcels that the other ranks sent to this one.
    std::string fault(Carpool_Delivery delivery) const {
        int count = -1, at = 0;
        Carpool_Delivery_count(delivery, &count);
        for (int source = 0; source < traffic.ranks; ++source) {
            const int bytes = traffic(source, world_rank());
            if (bytes > 0 && !is(delivery, at++, source, bytes))
                return "parcel " + std::to_string(at - 1) + " of " + std::to_string(count) +
                       " is not that of " + std::to_string(source);
            const bool second = at < count && size_of_parcel(delivery, at, source) == 0;
            at += second;
        }
        return at == count ? "" : std::to_string(count - at) + " parcels too many";
    }

    Traffic traffic;
    int round;
    std::vector<int> targets, counts, displs;
    std::vector<std::byte> memory;

private:
    void add(int target, int bytes) {
        displs.push_back(static_cast<int>(memory.size()));
        counts.push_back(bytes);
        for (int i = 0; i < bytes; ++i) memory.push_back(content(world_rank(), target, i, round));
    }

    static MPI_Count size_of_parcel(Carpool_Delivery delivery, int index, int from) {
        int source = -1;
        MPI_Count bytes = -1;
        const void* data = nullptr;
        Carpool_Delivery_get(delivery, index, &source, &bytes, &data);
        return source == from ? bytes : -1;
    }

    bool is(Carpool_Delivery delivery, int index, int from, int expected) const {
        int source = -1;
        MPI_Count bytes = -1;
        const void* data = nullptr;
        if (Carpool_Delivery_get(delivery, index, &source, &bytes, &data) != MPI_SUCCESS)
            return false;
        if (source != from || bytes != expected || reinterpret_cast<std::uintptr_t>(data) % 16 != 0)
            return false;
        const auto* const got = static_cast<const std::byte*>(data);
        for (int i = 0; i < expected; ++i)
            if (got[i] != content(from, world_rank(), i, round)) return false;
        return true;
    }
};

}  // namespace carpool::tests
