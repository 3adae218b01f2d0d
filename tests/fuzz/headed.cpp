// SPDX-License-Identifier: MIT
// Messages with length headers, as a broken peer may send them: a rank reads one and forwards all
// of its parts. The first two bytes of an input are the number of parts and the longest part that
// travels in the message.

#include "base/expects.hpp"
#include "bytes.hpp"
#include "engine/headed_message.hpp"
#include "fuzz.hpp"
#include "mpi/error.hpp"
#include "refused.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace carpool;

void fuzz::read(const std::string& input) {
    Bytes bytes(input);
    const auto parts = static_cast<std::size_t>(1 + bytes.one_of(8));
    const int longest = bytes.one_of(64);
    engine::IncomingHeadedMessage incoming(longest, parts, 0);
    engine::OutgoingHeadedMessage outgoing(longest, parts);
    for (std::size_t i = 0; i < parts; ++i) outgoing.forward(incoming.part(i));
    std::vector<std::byte> message(static_cast<std::size_t>(incoming.room()));
    const auto come = std::min(message.size(), bytes.rest().size());
    if (come > 0) std::memcpy(message.data(), bytes.rest().data(), come);
    refuse_or<mpi::Error>([&] {
        incoming.read(message.data());
        std::vector<std::byte> forwarded(static_cast<std::size_t>(outgoing.room()));
        const auto length = outgoing.load(forwarded.data());
        CARPOOL_EXPECTS(incoming.length_header_bytes() <= length && length <= outgoing.room());
        CARPOOL_EXPECTS(std::equal(forwarded.begin(), forwarded.begin() + length, message.begin()));
    });
}
