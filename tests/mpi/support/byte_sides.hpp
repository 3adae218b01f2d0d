// SPDX-License-Identifier: MIT
#pragma once

#include "buffers.hpp"
#include "traffic.hpp"
#include "world.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// One side of a call in bytes: a block per peer, with a gap before each.
struct ByteSide {
    ByteSide(std::vector<int> of_peers, std::vector<int> bytes)
        : peers(std::move(of_peers)), counts(std::move(bytes)) {
        int at = 0;
        for (const int count : counts) {
            displs.push_back(at += 3);
            at += count;
        }
        memory = poisoned(static_cast<std::size_t>(at + 3));
    }

    int degree() const { return static_cast<int>(peers.size()); }

    template <typename Visit>
    void for_each_byte(Visit visit) {
        for (std::size_t k = 0; k < peers.size(); ++k)
            for (int i = 0; i < counts[k]; ++i)
                visit(memory[static_cast<std::size_t>(displs[k] + i)], peers[k], i);
    }

    std::vector<int> peers, counts, displs;
    Bytes memory;
};

/// What this rank sends and receives, before and after a call.
struct ByteSides {
    void prepare(int start) {
        prepared = start;
        std::fill(recv.memory.begin(), recv.memory.end(), poison);  // not reallocated
        send.for_each_byte([&](std::byte& byte, int peer, int i) {
            byte = content(world_rank(), peer, i, start);
        });
    }

    /// Empty if the prepared bytes have arrived and nothing else was written.
    std::string fault() const {
        auto expected = recv;
        expected.memory = poisoned(recv.memory.size());
        expected.for_each_byte([&](std::byte& byte, int peer, int i) {
            byte = content(peer, world_rank(), i, prepared);
        });
        return difference(expected.memory, recv.memory);
    }

    ByteSide send, recv;
    int prepared = 0;  // the start for which the buffers were prepared
};

}  // namespace carpool::tests
