// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "draws.hpp"
#include "layouts.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace interposed {

/// What the buffers of a rank hold before or after a call.
struct Contents {
    Bytes send, recv;
};

/// A collective as one rank calls it, with its buffers and what they must hold afterwards.
class CheckedCall {
public:
    /// Writes what the buffers hold before and after the call.
    using Fill = std::function<void(const Draws&, Contents& before, Contents& after)>;

    /// @param specified  bytes of the receive buffer that MPI specifies; what is behind may change
    CheckedCall(CollectiveCall call, Contents room, std::size_t specified, Draws draws, Fill fill)
        : call_(std::move(call)),
          contents_(std::move(room)),
          specified_(specified),
          draws_(draws),
          fill_(std::move(fill)) {
        prepare(0);
        if (call_.send.buffer == nullptr) call_.send.buffer = contents_.send.data();
        if (call_.recv.buffer == nullptr) call_.recv.buffer = contents_.recv.data();
    }
    CheckedCall(const CheckedCall&) = delete;
    CheckedCall& operator=(const CheckedCall&) = delete;

    /// Writes new contents at the same addresses.
    void prepare(int start) {
        Contents before{Bytes(contents_.send.size(), poison), Bytes(contents_.recv.size(), poison)};
        after_ = before;
        fill_(draws_.next(start), before, after_);
        std::copy(before.send.begin(), before.send.end(), contents_.send.begin());
        std::copy(before.recv.begin(), before.recv.end(), contents_.recv.begin());
    }

    /// Empty if every byte of both buffers is as it must be after the call.
    std::string fault() const {
        if (contents_.send != after_.send) return "the send buffer has changed";
        for (std::size_t i = 0; i < specified_; ++i)
            if (contents_.recv[i] != after_.recv[i])
                return "byte " + std::to_string(i) + " of the receive buffer is wrong";
        return "";
    }

    const CollectiveCall& call() const { return call_; }
    CollectiveCall& call() { return call_; }

private:
    CollectiveCall call_;
    Contents contents_, after_;
    std::size_t specified_;
    Draws draws_;
    Fill fill_;
};

}  // namespace interposed
