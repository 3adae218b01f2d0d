// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "handle.hpp"
#include "scene.hpp"

namespace bench {

/// Messages that are started and completed together, as a user writes them by hand. A block to the
/// process itself is a memcpy, and empty blocks are left out.
class MessageLoop {
public:
    explicit MessageLoop(MPI_Comm comm) : comm_(comm) {}

    void send(const std::byte* from, int bytes, int target, int tag) {
        sends_.push_back({const_cast<std::byte*>(from), bytes, target, tag});
    }
    void receive(std::byte* to, int bytes, int source, int tag) {
        receives_.push_back({to, bytes, source, tag});
    }
    void copy(const std::byte* from, std::byte* to, std::size_t bytes) {
        copies_.push_back({from, to, bytes});
    }

    /// A buffer that lives as long as the loop.
    std::byte* own_buffer(std::size_t bytes) {
        buffer_.resize(bytes);
        return buffer_.data();
    }

    /// Makes the persistent requests that run_persistent starts.
    void make_persistent() {
        for (const auto& m : receives_)
            check(MPI_Recv_init(m.buffer, m.bytes, MPI_BYTE, m.peer, m.tag, comm_, next_request()));
        for (const auto& m : sends_)
            check(MPI_Send_init(m.buffer, m.bytes, MPI_BYTE, m.peer, m.tag, comm_, next_request()));
        for (const auto request : requests_) held_.emplace_back(request);
    }

    void run_persistent() {
        check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()));
        complete();
    }

    void run_nonblocking() {
        requests_.clear();
        for (const auto& m : receives_)
            check(MPI_Irecv(m.buffer, m.bytes, MPI_BYTE, m.peer, m.tag, comm_, next_request()));
        for (const auto& m : sends_)
            check(MPI_Isend(m.buffer, m.bytes, MPI_BYTE, m.peer, m.tag, comm_, next_request()));
        complete();
    }

    /// One neighbor after the other, as in [1] listing 4. @pre sends and receives were listed in
    /// turn
    void run_in_turn() {
        for (const auto& c : copies_) std::memcpy(c.to, c.from, c.bytes);
        for (std::size_t i = 0; i < sends_.size(); ++i) {
            const auto &out = sends_[i], &in = receives_[i];
            check(MPI_Sendrecv(out.buffer, out.bytes, MPI_BYTE, out.peer, out.tag, in.buffer,
                               in.bytes, MPI_BYTE, in.peer, in.tag, comm_, MPI_STATUS_IGNORE));
        }
    }

private:
    struct Message {
        std::byte* buffer;
        int bytes;
        int peer;
        int tag;
    };
    struct Copy {
        const std::byte* from;
        std::byte* to;
        std::size_t bytes;
    };

    MPI_Request* next_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

    void complete() {
        for (const auto& c : copies_) std::memcpy(c.to, c.from, c.bytes);
        const int count = static_cast<int>(requests_.size());
        check(MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE));
    }

    MPI_Comm comm_;
    std::vector<Message> sends_;
    std::vector<Message> receives_;
    std::vector<Copy> copies_;
    std::vector<std::byte> buffer_;
    std::vector<MPI_Request> requests_;
    std::vector<HostRequest> held_;  // owns the persistent requests
};

/// One send and one receive per neighbor, in the order of blocks in the buffers.
inline MessageLoop neighbor_loop(Scene& s) {
    MessageLoop loop(s.host.get());
    const auto& pattern = s.what.pattern;
    for (int i = 0; i < pattern.neighbors(); ++i) {
        const int source = s.torus.source(s.rank, pattern.offset(i));
        const int target = s.torus.target(s.rank, pattern.offset(i));
        const auto bytes = static_cast<int>(s.blocks.bytes[Blocks::at(i)]);
        if (bytes == 0) continue;
        if (target == s.rank) {
            loop.copy(s.blocks.send_block(i), s.blocks.receive_block(i), Blocks::at(bytes));
        } else {
            loop.receive(s.blocks.receive_block(i), bytes, source, i);
            loop.send(s.blocks.send_block(i), bytes, target, i);
        }
    }
    return loop;
}

}  // namespace bench
