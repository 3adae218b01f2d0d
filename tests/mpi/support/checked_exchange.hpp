// SPDX-License-Identifier: MIT
#pragma once

#include "buffers.hpp"
#include "call.hpp"
#include "layout.hpp"
#include "oracle.hpp"
#include "world.hpp"

#include <map>
#include <string>

namespace carpool::tests {

/// An exchange with its buffers, and the contents that the oracle expects afterwards.
class CheckedExchange {
public:
    /// @param ordered  a communicator whose ranks are those of the neighbors, for the oracle.
    /// @param room     bytes before the buffer addresses, for types with a negative lower bound.
    CheckedExchange(Layout layout, Neighbors neighbors, MPI_Comm ordered = MPI_COMM_WORLD,
                    MPI_Aint room = 0)
        : layout_(std::move(layout)),
          neighbors_(std::move(neighbors)),
          ordered_(ordered),
          room_(room),
          send_(layout_.send_bytes),
          recv_(poisoned(layout_.recv_bytes)) {
        layout_.arguments.send.buffer = send_.data() + room;
        layout_.arguments.recv.buffer = recv_.data() + room;
    }
    CheckedExchange(CheckedExchange&&) = default;  // moving a vector keeps its address

    /// Writes new contents to send, and poison to receive into.
    /// @note Collective over ordered when a start is prepared for the first time.
    void prepare(int start) {
        start_ = start;
        if (!expected_.contains(start)) expected_[start] = ask_oracle(start);
        fill(send_, rank_in(ordered_), start);
        std::fill(recv_.begin(), recv_.end(), poison);
    }

    int make_call(const CallForm& form) const { return tests::make_call(layout_.arguments, form); }

    /// Empty if every byte of both buffers is right.
    std::string fault() const {
        const auto received = difference(expected_.at(start_), recv_);
        if (!received.empty()) return "receive buffer: " + received;
        const auto kept = difference(filled(send_.size(), rank_in(ordered_), start_), send_);
        return kept.empty() ? "" : "send buffer: " + kept;
    }

    bool untouched() const { return all_poison(recv_); }
    ExchangeArguments& arguments() { return layout_.arguments; }
    void free_types() { layout_.types.clear(); }

private:
    Bytes ask_oracle(int start) const {
        auto send = filled(send_.size(), rank_in(ordered_), start);
        auto recv = poisoned(recv_.size());
        auto arguments = layout_.arguments;
        arguments.send.buffer = send.data() + room_;
        arguments.recv.buffer = recv.data() + room_;
        exchange_naively(arguments, neighbors_, ordered_);
        return recv;
    }

    Layout layout_;
    Neighbors neighbors_;
    MPI_Comm ordered_;
    MPI_Aint room_;
    int start_ = 0;
    Bytes send_;
    Bytes recv_;
    std::map<int, Bytes> expected_;
};

/// Makes and completes a call once in the given form. Empty, or what went wrong.
inline std::string run_once(CheckedExchange& exchange, Form form, MPI_Comm comm,
                            MPI_Info info = MPI_INFO_NULL) {
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    MPI_Request once = MPI_REQUEST_NULL;
    exchange.prepare(0);
    if (exchange.make_call({form, comm, info, &request, &once}) != MPI_SUCCESS)
        return "the call failed";
    if (is_persistent(form)) Carpool_Start(&request);
    if (is_persistent(form)) Carpool_Wait(&request, MPI_STATUS_IGNORE);
    if (is_persistent(form)) Carpool_Request_free(&request);
    MPI_Wait(&once, MPI_STATUS_IGNORE);
    if (request != CARPOOL_REQUEST_NULL) return "the request is not null";
    if (once != MPI_REQUEST_NULL) return "the MPI_Request is not null";
    return exchange.fault();
}

}  // namespace carpool::tests
