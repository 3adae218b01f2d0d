// SPDX-License-Identifier: MIT
#include "simulate/loggp.hpp"

#include "simulate/receives.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace carpool::simulate {
namespace {

using choose::Costs;

/// A resource that serves messages one after the other, in the order in which they come.
class Server {
public:
    /// @param time, taken  when a message comes, and for how long it keeps others waiting
    /// @return when it begins to pass
    double pass(double time, double taken) {
        const double begin = std::max(time, free_);
        free_ = begin + taken;
        return begin;
    }

private:
    double free_ = 0;
};

/// A packet of a message on its way.
struct Packet {
    double time;
    bool arrives;  ///< at the adapter of the other node; else it leaves its rank
    int from;
    int to;
    std::size_t receive;  ///< its number among those of all ranks
    std::int64_t bytes;   ///< in all packets of the message
    std::int64_t behind;  ///< bytes in this packet and those behind it
    bool congestion;      ///< its rank has more messages under way than pass easily

    /// Messages that leave a node at the same time share its adapter packet by packet. A message
    /// has at most about 8 packets, so that long ones cost few events.
    std::int64_t size() const { return std::min(behind, std::max<std::int64_t>(512, bytes / 8)); }

    bool is_first() const { return behind == bytes; }
    bool is_last() const { return behind == size(); }

    bool operator<(const Packet& other) const { return time > other.time; }  // the first on top
};

class Evaluation {
public:
    Evaluation(std::span<const Trace> traces, const Costs& costs, const topology::Nodes& nodes)
        : traces_(traces),
          costs_(costs),
          nodes_(nodes),
          receives_(traces),
          arrival_(receives_.size(), never),
          awaited_(receives_.size()),
          ranks_(traces.size()),
          adapters_(static_cast<std::size_t>(nodes.count())) {}

    Cost cost() {
        for (std::size_t rank = 0; rank < traces_.size(); ++rank) run(static_cast<int>(rank));
        while (!events_.empty()) {
            const auto packet = events_.top();
            events_.pop();
            packet.arrives ? arrive(packet) : leave(packet);
        }
        return result();
    }

private:
    static constexpr double never = -1;

    struct Rank {
        std::size_t next = 0;  ///< action
        double clock = 0;
        double busy = 0;
        int missing = 0;  ///< messages that it waits for
        Server out = {};  ///< its bytes to other nodes
        Server in = {};
        std::int64_t under_way = 0;  ///< its messages to other nodes
    };

    struct Adapter {
        Server out;
        Server in;
        MessageTotals sent;
        MessageTotals received;
    };

    Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    Adapter& adapter_of(int rank) { return adapters_[static_cast<std::size_t>(nodes_.node(rank))]; }

    /// Runs a rank until it waits for a message that has not come.
    void run(int rank) {
        const auto& actions = traces_[static_cast<std::size_t>(rank)].actions;
        auto& self = at(rank);
        while (self.next < actions.size()) {
            const auto& action = actions[self.next];
            if (action.kind == Action::Kind::wait) {
                if (!wait(rank)) return;
                continue;
            }
            ++self.next;
            switch (action.kind) {
                case Action::Kind::copy:
                    work(self, static_cast<double>(action.number) * costs_.copy_per_byte);
                    break;
                case Action::Kind::sum:
                    work(self, static_cast<double>(action.number) * costs_.sum_per_byte);
                    break;
                default:
                    send(rank, static_cast<std::size_t>(action.number));
            }
        }
    }

    static void work(Rank& self, double time) {
        self.clock += time;
        self.busy += time;
    }

    void send(int rank, std::size_t number) {
        auto& self = at(rank);
        const auto& message = traces_[static_cast<std::size_t>(rank)].sends[number];
        const bool within = near(rank, message.peer);
        work(self,
             within ? costs_.node.send() + half_of_copy(message.bytes) : costs_.network.send());
        double leaves = self.clock;
        if (!within) {
            leaves = self.out.pass(self.clock, through_rank(message.bytes));
            ++self.under_way;
        }
        events_.push({leaves, false, rank, message.peer, receives_.of(rank, message), message.bytes,
                      message.bytes, self.under_way > costs_.in_flight});
    }

    bool near(int rank, int peer) const { return nodes_.node(rank) == nodes_.node(peer); }

    /// Within a node both ends copy the bytes, one after the other.
    double half_of_copy(std::int64_t bytes) const {
        return static_cast<double>(bytes) * costs_.node.beta / 2;
    }

    double through_rank(std::int64_t bytes) const {
        return static_cast<double>(bytes) * costs_.network.beta;
    }

    /// Takes the messages of all waits in a row, in the order in which they have come.
    /// @return false if some have not
    bool wait(int rank) {
        const auto& actions = traces_[static_cast<std::size_t>(rank)].actions;
        auto& self = at(rank);
        came_.clear();
        const auto& receives = traces_[static_cast<std::size_t>(rank)].receives;
        auto end = self.next;
        for (; end < actions.size() && actions[end].kind == Action::Kind::wait; ++end) {
            const auto receive = receives_.number(rank, actions[end].number);
            came_.emplace_back(
                arrival_[receive],
                work_of(rank, receives[static_cast<std::size_t>(actions[end].number)]));
            if (arrival_[receive] == never && !std::exchange(awaited_[receive], 1)) ++self.missing;
        }
        if (self.missing > 0) return false;
        self.next = end;
        std::ranges::sort(came_);
        for (const auto& [time, taken] : came_) {
            self.clock = std::max(self.clock, time);
            work(self, taken);
        }
        return true;
    }

    /// What a rank does to take a message.
    double work_of(int rank, const TracedMessage& message) const {
        return near(rank, message.peer) ? costs_.node.receive() + half_of_copy(message.bytes)
                                        : costs_.network.receive();
    }

    void leave(const Packet& packet) {
        const bool within = near(packet.from, packet.to);
        auto& adapter = adapter_of(packet.from);
        if (packet.is_first()) {
            count(traffic_[within ? 0 : 1], packet);
            if (!within) count(adapter.sent, packet);
        }
        if (within) return deliver(packet, packet.time + costs_.node.sigma);
        const double begin = adapter.out.pass(packet.time, occupied(packet));
        auto further = packet;
        further.time = begin + costs_.network.sigma;
        further.arrives = true;
        events_.push(further);
        if (!packet.is_last())
            follow(packet, begin + std::max(occupied(packet), through_rank(packet.size())));
    }

    /// The next packet of the message leaves.
    void follow(Packet packet, double time) {
        packet.behind -= packet.size();
        packet.time = time;
        events_.push(packet);
    }

    void arrive(const Packet& packet) {
        auto& adapter = adapter_of(packet.to);
        const double begin = adapter.in.pass(packet.time, occupied(packet));
        const double taken = through_rank(packet.size());
        const double end = std::max(begin + through_adapter(packet.size()),
                                    at(packet.to).in.pass(begin, taken) + taken);
        if (!packet.is_last()) return;
        count(adapter.received, packet);
        --at(packet.from).under_way;
        deliver(packet, end);
    }

    double through_adapter(std::int64_t bytes) const {
        return static_cast<double>(bytes) * costs_.adapter_per_byte;
    }

    /// How long a packet keeps others of its adapter waiting. After the last one of a short message
    /// the rest of the gap passes.
    double occupied(const Packet& packet) const {
        const double taken = through_adapter(packet.size());
        if (!packet.is_last()) return taken;
        const double gap = costs_.adapter_per_message + (packet.congestion ? costs_.congestion : 0);
        return taken + std::max(0.0, gap - through_adapter(packet.bytes));
    }

    static void count(MessageTotals& traffic, const Packet& packet) {
        ++traffic.messages;
        traffic.bytes += packet.bytes;
    }

    void deliver(const Packet& packet, double time) {
        arrival_[packet.receive] = time;
        if (!awaited_[packet.receive]) return;
        if (--at(packet.to).missing == 0) run(packet.to);
    }

    Cost result() const {
        Cost cost{0, 0, traffic_, {}};
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            if (ranks_[rank].next < traces_[rank].actions.size())
                throw std::invalid_argument("rank " + std::to_string(rank) +
                                            " waits for messages that nobody sends");
            cost.time = std::max(cost.time, ranks_[rank].clock);
            cost.busy = std::max(cost.busy, ranks_[rank].busy);
        }
        for (const auto& adapter : adapters_)
            for (const auto& one : {adapter.sent, adapter.received})
                if (std::pair(one.bytes, one.messages) >
                    std::pair(cost.busiest_adapter.bytes, cost.busiest_adapter.messages))
                    cost.busiest_adapter = one;
        return cost;
    }

    std::span<const Trace> traces_;
    const Costs costs_;
    const topology::Nodes& nodes_;
    const Receives receives_;
    std::vector<double> arrival_;  // per receive
    std::vector<char> awaited_;    // per receive
    std::vector<Rank> ranks_;
    std::vector<Adapter> adapters_;  // per node
    std::array<MessageTotals, 2> traffic_ = {};
    std::priority_queue<Packet> events_;
    std::vector<std::pair<double, double>> came_;  // of one wait: when, and the work for it
};

}  // namespace

Cost evaluate(std::span<const Trace> traces, const Costs& costs, const topology::Nodes& nodes) {
    return Evaluation(traces, costs, nodes).cost();
}

}  // namespace carpool::simulate
