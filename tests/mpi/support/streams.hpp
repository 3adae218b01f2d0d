// SPDX-License-Identifier: MIT
#pragma once

#include "shared/unexpected_queue.hpp"

#include <mpi.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace carpool::tests {

/// A stream to another rank and from it. It carries frames, each a header and that many bytes. No
/// function here waits.
class Stream {
public:
    explicit Stream(int descriptor) : descriptor_(descriptor) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { close(descriptor_); }

    /// @param left  set once the bytes, which must not move before, are not needed any more
    void send(int tag, std::span<const std::byte> bytes, bool& left) {
        left = false;
        leaving_.push_back({{std::ssize(bytes), tag}, bytes, &left});
        look();
    }

    /// Takes the next message with the tag, if it has arrived.
    std::optional<shared::Envelope> take(int tag) {
        auto* const one = come_.find({0, tag});
        return one != nullptr ? std::optional(come_.take(*one)) : std::nullopt;
    }

    /// The tag of the first message that has arrived.
    std::optional<int> first() {
        const auto waiting = come_.waiting();
        return waiting.empty() ? std::nullopt : std::optional(waiting.front().address.tag);
    }

    /// Writes and reads as much as possible.
    void look() {
        while (!leaving_.empty() && write(leaving_.front())) leaving_.pop_front();
        while (read()) {
        }
    }

private:
    struct Header {
        std::int64_t bytes = 0;
        std::int64_t tag = 0;
    };

    struct Frame {
        Header header;
        std::span<const std::byte> bytes;
        bool* left;
        std::size_t written = 0;
    };

    /// Continues with a piece of a frame, which begins at `begin`; `done` counts the bytes of the
    /// frame that have been moved.
    template <typename Byte, typename Move>
    bool go_on(std::span<Byte> piece, std::size_t begin, std::size_t& done, Move move) const {
        while (done < begin + piece.size()) {
            const auto rest = piece.subspan(done - begin);
            const auto moved =
                move(descriptor_, rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
            if (moved <= 0) return false;
            done += static_cast<std::size_t>(moved);
        }
        return true;
    }

    bool write(Frame& frame) {
        const auto header = std::as_bytes(std::span(&frame.header, 1));
        return go_on(header, 0, frame.written, ::send) &&
               go_on(frame.bytes, header.size(), frame.written, ::send) && (*frame.left = true);
    }

    bool read() {
        const auto header = std::as_writable_bytes(std::span(&header_, 1));
        if (!go_on(header, 0, read_, ::recv)) return false;
        const auto bytes = static_cast<std::size_t>(header_.bytes);
        if (!memory_) memory_ = std::make_unique<std::byte[]>(bytes);
        if (!go_on(std::span(memory_.get(), bytes), header.size(), read_, ::recv)) return false;
        read_ = 0;
        shared::Envelope envelope{.bytes = header_.bytes, .content = memory_.get()};
        envelope.copy = std::move(memory_);
        come_.add({0, {0, static_cast<int>(header_.tag)}, std::move(envelope)});
        return true;
    }

    int descriptor_;
    std::deque<Frame> leaving_;
    Header header_;  // of the frame that is being read
    std::unique_ptr<std::byte[]> memory_;
    std::size_t read_ = 0;
    shared::UnexpectedQueue come_;
};

/// The streams of a rank to all others of a communicator, none to itself.
struct Streams {
    int rank = 0;
    std::vector<std::unique_ptr<Stream>> to;
    int staged = 0;  ///< number of staging buffers handed out
    int given_back = 0;

    /// Each rank connects to all lower ones, at addresses that the system chooses. @note
    /// Collective.
    explicit Streams(MPI_Comm comm) {
        int size = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        const int door = sure(socket(AF_UNIX, SOCK_STREAM, 0));
        sockaddr_un own{.sun_family = AF_UNIX, .sun_path = {}};
        auto* const address = reinterpret_cast<sockaddr*>(&own);
        socklen_t length = sizeof own;
        sure(bind(door, address, sizeof own.sun_family));
        sure(listen(door, size));
        sure(getsockname(door, address, &length));
        std::vector<sockaddr_un> all(static_cast<std::size_t>(size));
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, comm);
        for (int peer = 0; peer < rank; ++peer) {
            own = all[static_cast<std::size_t>(peer)];
            const int called = sure(socket(AF_UNIX, SOCK_STREAM, 0));
            sure(connect(called, address, length));
            sure(static_cast<int>(send(called, &rank, sizeof rank, 0)));
            to.push_back(std::make_unique<Stream>(called));
        }
        to.resize(static_cast<std::size_t>(size));
        for (int peer = 0, calls = rank + 1; calls < size; ++calls) {
            const int caller = sure(accept(door, nullptr, nullptr));
            sure(static_cast<int>(recv(caller, &peer, sizeof peer, MSG_WAITALL)));
            to[static_cast<std::size_t>(peer)] = std::make_unique<Stream>(caller);
        }
        close(door);
    }

    Stream& operator[](int peer) const { return *to[static_cast<std::size_t>(peer)]; }

    void look() const {
        for (const auto& stream : to)
            if (stream) stream->look();
    }

private:
    static int sure(int result) {
        if (result < 0) throw std::system_error(errno, std::generic_category());
        return result;
    }
};

}  // namespace carpool::tests
