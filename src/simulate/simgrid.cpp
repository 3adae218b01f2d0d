// SPDX-License-Identifier: MIT
#include "simulate/simgrid.hpp"

namespace carpool::simulate {
namespace {

/// Writes the lines of one rank.
///
/// Messages are awaited one by one: in a wait for all of them SimGrid receives none before the last
/// has come.
class RankLines {
public:
    RankLines(std::ostream& out, int rank, const Trace& trace, const choose::Costs& costs,
              const topology::Nodes& nodes, std::int64_t detached_below)
        : out_(out),
          rank_(rank),
          trace_(trace),
          costs_(costs),
          nodes_(nodes),
          detached_below_(detached_below) {}

    void write() {
        for (const auto& message : trace_.receives)
            line("irecv", message.peer, message.tag, message.bytes);
        for (const auto& action : trace_.actions) perform(action);
        line("waitall");
    }

private:
    template <typename... Words>
    void line(const Words&... words) {
        out_ << rank_;
        ((out_ << ' ' << words), ...);
        out_ << '\n';
    }

    void perform(const Action& action) {
        const auto number = static_cast<std::size_t>(action.number);
        switch (action.kind) {
            case Action::Kind::copy:
                return sleep(static_cast<double>(number) * costs_.copy_per_byte);
            case Action::Kind::sum:
                return sleep(static_cast<double>(number) * costs_.sum_per_byte);
            case Action::Kind::send:
                return send(trace_.sends[number]);
            case Action::Kind::wait:
                return wait(trace_.receives[number]);
        }
    }

    void sleep(double seconds) {
        if (seconds > 0) line("sleep", seconds);
    }

    void send(const TracedMessage& message) {
        sleep(half_of_copy(message));
        line("isend", message.peer, message.tag, message.bytes);
    }

    void wait(const TracedMessage& message) {
        line("wait", message.peer, rank_, message.tag);
        sleep(half_of_copy(message) +
              (message.bytes >= detached_below_ ? costs_.network.receive() : 0));
    }

    /// What each end of a message within a node does.
    double half_of_copy(const TracedMessage& message) const {
        const bool near = nodes_.node(rank_) == nodes_.node(message.peer);
        return near ? static_cast<double>(message.bytes) * costs_.node.beta / 2 : 0;
    }

    std::ostream& out_;
    const int rank_;
    const Trace& trace_;
    const choose::Costs& costs_;
    const topology::Nodes& nodes_;
    const std::int64_t detached_below_;
};

}  // namespace

void write_simgrid(std::ostream& out, std::span<const Trace> traces, const choose::Costs& costs,
                   const topology::Nodes& nodes, std::int64_t detached_below) {
    const auto ranks = static_cast<int>(traces.size());
    for (int rank = 0; rank < ranks; ++rank) out << rank << " init\n";
    for (int rank = 0; rank < ranks; ++rank)
        RankLines(out, rank, traces[static_cast<std::size_t>(rank)], costs, nodes, detached_below)
            .write();
    for (int rank = 0; rank < ranks; ++rank) out << rank << " finalize\n";
}

}  // namespace carpool::simulate
