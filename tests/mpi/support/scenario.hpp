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
struct Scenario {
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

/// A scenario with its own buffers, to which a request may be bound.
class CollectiveJob {
public:
    explicit CollectiveJob(Scenario scenario)
        : scenario_(std::move(scenario)), contents_(scenario_.before(0)) {}
    CollectiveJob(CollectiveJob&&) = default;  // moving a vector keeps its address

    /// Writes new contents at the same addresses.
    void prepare(int start) {
        start_ = start;
        const auto fresh = scenario_.before(start);
        std::copy(fresh.send.begin(), fresh.send.end(), contents_.send.begin());
        std::copy(fresh.recv.begin(), fresh.recv.end(), contents_.recv.begin());
    }

    int init(const Initialisation& by, Carpool_Request* request) {
        return tests::init(scenario_.on(contents_), by, request);
    }

    /// Empty if every byte of both buffers is right.
    std::string fault() const { return fault(contents_, scenario_.after(start_)); }

    /// Empty if nothing has been written since the start was prepared.
    std::string trace() const { return fault(contents_, scenario_.before(start_)); }

    /// Empty if the host MPI gives the same result.
    /// @note Collective over comm.
    std::string fault_of_host(MPI_Comm comm) const {
        if (!scenario_.host_agrees) return "";
        auto contents = scenario_.before(start_);
        if (call_host(scenario_.on(contents), comm) != MPI_SUCCESS) return "the host fails";
        auto expected = scenario_.after(start_);
        if (const auto agreed = scenario_.result_bytes) {
            contents.recv.resize(Scenario::room + *agreed);
            expected.recv.resize(Scenario::room + *agreed);
        }
        const auto found = fault(contents, expected);
        return found.empty() ? "" : "the host's result: " + found;
    }

    const Scenario& scenario() const { return scenario_; }
    CollectiveCall call() { return scenario_.on(contents_); }

private:
    std::string fault(Contents got, Contents expected) const {
        scenario_.blur(got);
        scenario_.blur(expected);
        const auto received = difference(expected.recv, got.recv);
        if (!received.empty()) return "receive buffer: " + received;
        const auto kept = difference(expected.send, got.send);
        return kept.empty() ? "" : "send buffer: " + kept;
    }

    Scenario scenario_;
    Contents contents_;
    int start_ = 0;
};

}  // namespace carpool::tests
