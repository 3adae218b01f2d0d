// SPDX-License-Identifier: MIT
// Messages of sparse exchanges, as a broken peer may send them. What is understood is written
// again, and is the same.

#include "base/expects.hpp"
#include "fuzz.hpp"
#include "refused.hpp"
#include "sparse/parcel.hpp"

#include <algorithm>
#include <span>
#include <vector>

using namespace carpool;

namespace {

using Message = std::span<const std::byte>;

/// Does what a rank does that passes all parcels on.
std::vector<std::byte> passed_on(Message message) {
    sparse::IncomingParcels incoming(message);
    sparse::OutgoingParcels outgoing;
    while (const auto parcel = incoming.next()) {
        if (parcel->bytes == nullptr)
            outgoing.announce(parcel->header);
        else
            std::copy_n(parcel->bytes, parcel->header.bytes, outgoing.add(parcel->header));
    }
    return outgoing.sealed(incoming.piggyback());
}

}  // namespace

void fuzz::read(const std::string& input) {
    const auto message = std::as_bytes(std::span(input.data(), input.size()));
    if (message.size() < sparse::least_message) return;
    refuse_or<mpi::Error>([&] {
        const auto once = passed_on(message);
        CARPOOL_EXPECTS(sparse::length_of(once) == std::ssize(once), once.size());
        CARPOOL_EXPECTS(passed_on(once) == once);
    });
}
