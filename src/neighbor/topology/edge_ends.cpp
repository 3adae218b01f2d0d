// SPDX-License-Identifier: MIT
#include "neighbor/topology/edge_ends.hpp"

#include "base/digest.hpp"
#include "engine/receive_lengths.hpp"
#include "routing/wide_words.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace carpool::neighbor {
namespace {

using routing::SuperstepMessage;
using routing::SuperstepMessages;
using routing::Words;

std::uint64_t digest(int from, int to, int label, std::int64_t bytes) {
    base::Digest digest;
    for (const int number : {from, to, label}) digest.add(number);
    digest.add(bytes);
    return digest.bits();
}

/// For each peer, the bytes of the edges, by ascending label.
using ByPeer = std::map<int, std::map<int, std::int64_t>>;

ByPeer by_peer(std::span<const topology::Edge> edges, std::span<const std::int64_t> bytes) {
    ByPeer ends;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank) ends[edges[i].peer][edges[i].label] = bytes[i];
    return ends;
}

/// For each edge, its label and both halves of its bytes.
Words written(const std::map<int, std::int64_t>& edges) {
    Words words;
    for (const auto& [label, bytes] : edges) {
        words.push_back(label);
        routing::add_wide(words, bytes);
    }
    return words;
}

std::map<int, std::int64_t> read(const Words& words) {
    std::map<int, std::int64_t> edges;
    for (std::size_t i = 0; i < words.size(); i += 3)
        edges[words[i]] = routing::wide_at(words, i + 1);
    return edges;
}

std::string times(std::size_t count) {
    return count == 0 ? "not" : count == 1 ? "once" : std::to_string(count) + " times";
}

/// The error text about an edge of that label, along which other bytes come than expected.
std::string differing_bytes(const EdgeEnds& ends, int from, int label, std::int64_t sent,
                            std::int64_t expected) {
    const auto& in = ends.edges->in;
    const auto edge = std::ranges::find_if(
        in, [&](const topology::Edge& e) { return e.peer == from && e.label == label; });
    if (ends.blocks.empty() || edge == in.end())
        return engine::wrong_length(from, sent, ends.rank, expected).what();
    const auto& block = ends.blocks[static_cast<std::size_t>(edge - in.begin())];
    return engine::wrong_length(from, sent, ends.rank, block.shape).what();
}

std::optional<std::string> sentence(const EdgeEnds& ends, int from,
                                    const std::map<int, std::int64_t>& sent,
                                    const std::map<int, std::int64_t>& received) {
    const auto source = "rank " + std::to_string(from);
    const auto target = "rank " + std::to_string(ends.rank);
    if (sent.size() != received.size())
        return source + " has " + target + " " + times(sent.size()) + " among its targets, but " +
               target + " has " + source + " " + times(received.size()) + " among its sources";
    for (auto s = sent.begin(), r = received.begin(); s != sent.end(); ++s, ++r)
        if (*s != *r) return differing_bytes(ends, from, r->first, s->second, r->second);
    return std::nullopt;
}

}  // namespace

EdgeEnds ends_of(int rank, const topology::Adjacency& edges, std::span<const mpi::Block> sent,
                 std::span<const mpi::Block> received) {
    return {rank, &edges, mpi::sizes_of(sent), mpi::sizes_of(received)};
}

std::uint64_t balance(const EdgeEnds& ends) {
    std::uint64_t sum = 0;
    const auto& [out, in] = *ends.edges;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i].peer != topology::no_rank)
            sum += digest(ends.rank, out[i].peer, out[i].label, ends.sent[i]);
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i].peer != topology::no_rank)
            sum -= digest(in[i].peer, ends.rank, in[i].label, ends.received[i]);
    return sum;
}

routing::Program<std::optional<std::string>> difference(EdgeEnds ends) {
    SuperstepMessages mine;
    for (const auto& [peer, edges] : by_peer(ends.edges->out, ends.sent))
        mine.messages.push_back({peer, std::make_shared<const Words>(written(edges))});
    const SuperstepMessages heard = co_await routing::superstep(std::move(mine));
    auto expected = by_peer(ends.edges->in, ends.received);
    for (const auto& message : heard.messages) expected.try_emplace(message.peer);
    for (const auto& [peer, received] : expected) {
        const auto message =
            std::find_if(heard.messages.begin(), heard.messages.end(),
                         [&](const SuperstepMessage& l) { return l.peer == peer; });
        const auto sent = message == heard.messages.end() ? read({}) : read(*message->words);
        if (auto text = sentence(ends, peer, sent, received)) co_return text;
    }
    co_return std::nullopt;
}

}  // namespace carpool::neighbor
