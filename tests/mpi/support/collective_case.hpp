// SPDX-License-Identifier: MIT
#pragma once

#include "buffers.hpp"
#include "collective_call.hpp"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace carpool::tests {

/// Both buffers of a rank. An empty one is not significant.
struct Contents {
    Bytes send;
    Bytes recv;
};

/// A collective as one rank sees it, with the contents of its buffers before and after each start.
struct CollectiveCase {
    std::string text;
    CollectiveCall call;  ///< buffers are null, or MPI_IN_PLACE
    bool commutes = true;
    bool varies = false;  ///< an alltoall whose blocks may differ in size
    std::function<Contents(int start)> before = {};
    std::function<Contents(int start)> after = {};
    std::function<void(Contents&)> blur = [](Contents&) {};  ///< bytes that MPI need not move
    bool host_agrees = true;                                 ///< with the model, in every byte
    std::optional<std::size_t> result_bytes = {};  ///< bytes of recv that must agree, or all

    static constexpr MPI_Aint room = 512;  ///< bytes before buffer addresses

    /// The call on the given buffers.
    CollectiveCall on(Contents& contents) const {
        auto bound = call;
        const auto bind = [](Side& side, Bytes& bytes) {
            if (side.buffer == nullptr && !bytes.empty()) side.buffer = bytes.data() + room;
        };
        bind(bound.send, contents.send);
        bind(bound.recv, contents.recv);
        return bound;
    }
};

/// A collective with its own buffers and the contents expected in them, to which a request may be
/// bound.
class CheckedCollective {
public:
    explicit CheckedCollective(CollectiveCase one_case)
        : case_(std::move(one_case)), contents_(case_.before(0)) {}
    CheckedCollective(CheckedCollective&&) = default;  // moving a vector keeps its address

    /// Writes new contents at the same addresses.
    void prepare(int start) {
        start_ = start;
        const auto fresh = case_.before(start);
        std::copy(fresh.send.begin(), fresh.send.end(), contents_.send.begin());
        std::copy(fresh.recv.begin(), fresh.recv.end(), contents_.recv.begin());
    }

    int init(const Initialisation& by, Carpool_Request* request) {
        return tests::init(case_.on(contents_), by, request);
    }

    /// Empty if every byte of both buffers is right.
    std::string fault() const { return fault(contents_, case_.after(start_)); }

    /// Empty if nothing has been written since the start was prepared.
    std::string effect() const { return fault(contents_, case_.before(start_)); }

    /// Empty if the host MPI gives the same result.
    /// @note Collective over comm.
    std::string fault_of_host(MPI_Comm comm) const {
        if (!case_.host_agrees) return "";
        auto contents = case_.before(start_);
        if (call_host(case_.on(contents), comm) != MPI_SUCCESS) return "the host fails";
        auto expected = case_.after(start_);
        if (const auto agreed = case_.result_bytes) {
            contents.recv.resize(CollectiveCase::room + *agreed);
            expected.recv.resize(CollectiveCase::room + *agreed);
        }
        const auto found = fault(contents, expected);
        return found.empty() ? "" : "the host's result: " + found;
    }

    const CollectiveCase& one_case() const { return case_; }
    CollectiveCall call() { return case_.on(contents_); }

private:
    std::string fault(Contents got, Contents expected) const {
        case_.blur(got);
        case_.blur(expected);
        const auto received = difference(expected.recv, got.recv);
        if (!received.empty()) return "receive buffer: " + received;
        const auto kept = difference(expected.send, got.send);
        return kept.empty() ? "" : "send buffer: " + kept;
    }

    CollectiveCase case_;
    Contents contents_;
    int start_ = 0;
};

}  // namespace carpool::tests
