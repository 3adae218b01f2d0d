// SPDX-License-Identifier: MIT
#include "simulate/trace.hpp"

#include "schedule/dependencies.hpp"

#include <unordered_map>
#include <utility>

namespace carpool::simulate {
namespace {

using schedule::Message;
using schedule::Schedule;

/// Numbers the messages of each peer. Rendezvous messages are matched apart from the others.
class Tags {
public:
    int next(const Message& message) {
        return 2 * count_[{message.peer, message.rendezvous}]++ + (message.rendezvous ? 1 : 0);
    }

private:
    struct Hash {
        std::size_t operator()(const std::pair<int, bool>& key) const {
            return 2 * static_cast<std::size_t>(key.first) + (key.second ? 1 : 0);
        }
    };
    std::unordered_map<std::pair<int, bool>, int, Hash> count_;
};

class Tracer {
public:
    explicit Tracer(const Schedule& schedule) : dependencies_(schedule) {
        list_messages(schedule);
        list_works(schedule);
        invert();
    }

    Trace traced() && {
        for (std::size_t task = 0; task < needs_.size(); ++task) perform(task);
        for (std::size_t receive = 0; receive < trace_.receives.size(); ++receive) wait(receive);
        perform({Action::Kind::copy, last_copied_});
        perform({Action::Kind::sum, last_summed_});
        return std::move(trace_);
    }

private:
    /// A receive or a task that another task waits for.
    struct Need {
        bool is_receive;
        std::size_t number;
    };

    void list_messages(const Schedule& schedule) {
        Tags to;
        Tags from;
        for (const auto& round : schedule.rounds) {
            if (!round.send.parts.empty()) {
                trace_.sends.push_back(traced(round.send, to));
                work_.push_back({Action::Kind::copy, schedule::copied_bytes(round.send)});
            }
            if (!round.receive.parts.empty()) {
                trace_.receives.push_back(traced(round.receive, from));
                unpacked_.push_back(schedule::copied_bytes(round.receive));
            }
        }
    }

    static TracedMessage traced(const Message& message, Tags& tags) {
        return {message.peer, tags.next(message), schedule::bytes_of(message)};
    }

    /// The bytes of copies and sums: of those that something waits for, by task.
    void list_works(const Schedule& schedule) {
        for (const auto& one : schedule.copies)
            add(one.to, {Action::Kind::copy, one.bytes}, last_copied_);
        for (const auto& sum : schedule.sums)
            add(sum.to, {Action::Kind::sum, sum.bytes * (std::ssize(sum.of) - 1)}, last_summed_);
    }

    void add(schedule::Slot to, Action work, std::int64_t& last) {
        if (dependencies_.has_readers(to))
            work_.push_back(work);
        else
            last += work.number;
    }

    void invert() {
        needs_.resize(dependencies_.tasks.size());
        performed_.resize(needs_.size());
        waited_.resize(trace_.receives.size());
        for (std::size_t i = 0; i < dependencies_.arrivals.size(); ++i)
            for (const int task : dependencies_.arrivals[i].unlocks)
                needs_[static_cast<std::size_t>(task)].push_back({true, i});
        for (std::size_t i = 0; i < dependencies_.tasks.size(); ++i)
            for (const int task : dependencies_.tasks[i].unlocks)
                needs_[static_cast<std::size_t>(task)].push_back({false, i});
    }

    /// What earlier sums have made goes first: it needs messages that come earlier.
    void perform(std::size_t task) {
        if (std::exchange(performed_[task], true)) return;
        for (const auto& need : needs_[task])
            if (!need.is_receive) perform(need.number);
        for (const auto& need : needs_[task])
            if (need.is_receive) wait(need.number);
        perform(work_[task]);
        if (task < trace_.sends.size()) act(Action::Kind::send, static_cast<std::int64_t>(task));
    }

    void wait(std::size_t receive) {
        if (std::exchange(waited_[receive], true)) return;
        act(Action::Kind::wait, static_cast<std::int64_t>(receive));
        last_copied_ += unpacked_[receive];
    }

    void perform(Action work) {
        if (work.number > 0) trace_.actions.push_back(work);
    }

    void act(Action::Kind kind, std::int64_t number) { trace_.actions.push_back({kind, number}); }

    const schedule::Dependencies dependencies_;
    Trace trace_;
    std::vector<Action> work_;            // per task: to make a message, or local work
    std::vector<std::int64_t> unpacked_;  // bytes, per receive
    std::int64_t last_copied_ = 0;        // bytes that nothing waits for
    std::int64_t last_summed_ = 0;
    std::vector<std::vector<Need>> needs_;  // per task
    std::vector<char> performed_;           // per task
    std::vector<char> waited_;              // per receive
};

}  // namespace

Trace trace_of(const schedule::Schedule& schedule) { return Tracer(schedule).traced(); }

}  // namespace carpool::simulate
