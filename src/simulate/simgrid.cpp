#include "simulate/simgrid.hpp"

namespace carpool::simulate {
namespace {

/// Writes the lines of one rank.
///
/// Messages are awaited one by one: in a wait for all of them SimGrid receives none before the last
/// has come.
class RankLines {
public:
    RankLines(std::ostream& out, int rank, const Trace& trace, const Network& network,
              std::int64_t detached_below)
        : out_(out),
          rank_(rank),
          trace_(trace),
          network_(network),
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
                return line("sleep", static_cast<double>(number) * network_.copy_per_byte);
            case Action::Kind::send:
                return send(trace_.sends[number]);
            case Action::Kind::wait:
                return wait(trace_.receives[number]);
        }
    }

    void send(const TracedMessage& message) {
        line("isend", message.peer, message.tag, message.bytes);
    }

    void wait(const TracedMessage& message) {
        line("wait", message.peer, rank_, message.tag);
        if (message.bytes >= detached_below_) line("sleep", network_.receive_overhead);
    }

    std::ostream& out_;
    const int rank_;
    const Trace& trace_;
    const Network& network_;
    const std::int64_t detached_below_;
};

}  // namespace

void write_simgrid(std::ostream& out, std::span<const Trace> traces, const Network& network,
                   std::int64_t detached_below) {
    const auto ranks = static_cast<int>(traces.size());
    for (int rank = 0; rank < ranks; ++rank) out << rank << " init\n";
    for (int rank = 0; rank < ranks; ++rank)
        RankLines(out, rank, traces[static_cast<std::size_t>(rank)], network, detached_below)
            .write();
    for (int rank = 0; rank < ranks; ++rank) out << rank << " finalize\n";
}

}  // namespace carpool::simulate
