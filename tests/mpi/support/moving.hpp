// SPDX-License-Identifier: MIT
#pragma once

#include "arrangement.hpp"
#include "collective_case.hpp"
#include "movement.hpp"

#include <random>
#include <utility>

namespace carpool::tests {

/// Which sides a rank reads, and whether one of them is MPI_IN_PLACE.
class Sides {
public:
    Sides(const Movement& m, int rank)
        : send_in_place(m.in_place && sends_in_place(m.what, rank == m.root)),
          recv_in_place(m.in_place && receives_in_place(m.what, rank == m.root)) {
        using collectives::Kind;
        const auto kind = kind_of(m.what);
        const bool root = rank == m.root;
        sends = described(m.what).send && !send_in_place && (kind != Kind::scatter || root);
        receives = described(m.what).recv && !recv_in_place && (kind != Kind::gather || root);
    }

    bool send_in_place, recv_in_place;
    bool sends, receives;
};

/// Does the rank have this block before the call?
inline bool is_own(const Movement& m, const Origin& origin, int rank) {
    const bool everything = kind_of(m.what) == collectives::Kind::alltoall;
    return everything || origin.source == rank;
}

/// The block that is in the same place before an alltoall in place.
inline Origin replaced_by(const Movement& m, const Origin& origin) {
    if (kind_of(m.what) != collectives::Kind::alltoall) return origin;
    return {origin.target, origin.source};
}

/// The movement as one rank sees it. The places of the blocks and their types within the family
/// differ from rank to rank.
inline CollectiveCase moving(const Movement& m, int rank) {
    std::mt19937 rng(m.seed * 131u + static_cast<unsigned>(rank));
    const Sides sides(m, rank);
    const auto shapes = described(m.what);
    Row sent, received;
    if (sides.sends) sent = Arrangement(m, *shapes.send, rng).row(origins_sent(m, rank));
    if (sides.receives) received = Arrangement(m, *shapes.recv, rng).row(origins_received(m, rank));

    CollectiveCase one_case{m.text(), {m.what, sent.side, received.side, m.root}};
    one_case.host_agrees = m.family->hosts_agree;
    one_case.varies = kind_of(m.what) == collectives::Kind::alltoall && is_irregular(m.what);
    if (!sides.sends && shapes.send) one_case.call.send = garbage(shapes.send);
    if (!sides.receives && shapes.recv) one_case.call.recv = garbage(shapes.recv);
    if (sides.send_in_place) one_case.call.send.buffer = MPI_IN_PLACE;
    if (sides.recv_in_place) one_case.call.recv.buffer = MPI_IN_PLACE;

    const bool starts_in_recv = sides.send_in_place || m.what == Collective::bcast;
    one_case.before = [=](int start) {
        Contents contents;
        if (sides.sends) contents.send = sent.poison();
        if (sides.receives) contents.recv = received.poison();
        for (const auto& spot : sent.spots) spot.write(contents.send, start);
        for (auto spot : received.spots) {
            if (!starts_in_recv || !is_own(m, spot.origin, rank)) continue;
            spot.origin = replaced_by(m, spot.origin);
            spot.write(contents.recv, start);
        }
        return contents;
    };
    one_case.after = [sent, received, before = one_case.before](int start) {
        auto contents = before(start);
        for (const auto& spot : received.spots) spot.write(contents.recv, start);
        return contents;
    };
    one_case.blur = [received, family = m.family](Contents& contents) {
        for (const auto& spot : received.spots) spot.blur(contents.recv, *family);
    };
    return one_case;
}

}  // namespace carpool::tests
