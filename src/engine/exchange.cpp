// SPDX-License-Identifier: MIT
#include "engine/exchange.hpp"

#include "base/expects.hpp"

#include <utility>

namespace carpool::engine {

/// The schedule, the transports and their binder, kept for fill().
struct Exchange::Kept {
    Kept(schedule::Schedule given, Transports reached, Packing packing)
        : schedule(std::move(given)),
          transports(std::move(reached)),
          binder(schedule, transports, packing) {}

    schedule::Schedule schedule;
    Transports transports;
    Binder binder;
};

Exchange::Exchange(const schedule::Schedule& schedule, const Buffers& buffers,
                   const Transports& transports, const Manner& manner)
    : watch_(manner.watch),
      checked_(manner.checked),
      summed_(manner.summed || !schedule.sums.empty()) {
    if (manner.fills) {
        kept_ = std::make_unique<Kept>(schedule, transports, manner.packing);
        bound_ = kept_->binder.bind(buffers);
    } else {
        bound_ = Binder(schedule, transports, manner.packing).bind(buffers);
    }
    only_receives_ = bound_.sends.empty() && bound_.receives.size() == 1;
    order_receives();
    find_phases();
    order_tasks();
    transfers_ = Transfers(transports, transfers(manner.tag));
    forwards_ = forwards_ || transfers_.needs_tests();
}

Exchange::~Exchange() = default;

void Exchange::fill(const Buffers& buffers, std::span<const std::int64_t> temp_bytes) {
    CARPOOL_EXPECTS(kept_ && !active_, temp_bytes.size());
    kept_->binder.fill(buffers, temp_bytes, bound_);
    transfers_.filled();
}

void Exchange::fill(const Buffers& buffers) {
    CARPOOL_EXPECTS(kept_ && !active_);
    kept_->binder.fill(buffers, bound_);
    transfers_.filled();
}

std::unique_ptr<Exchange> exchange_of(const mpi::CommState& state,
                                      const schedule::Schedule& schedule, const Buffers& buffers,
                                      const Manner& manner) {
    return std::make_unique<Exchange>(schedule, buffers, transports_of(state, manner.transport),
                                      manner);
}

/// Whether a receive is watched: something waits for it, or it may bring an error, since a length
/// header is read at once.
bool Exchange::is_watched(std::size_t receive) const {
    return !bound_.arrivals[receive].unlocks.empty() || bound_.receives[receive].incoming;
}

void Exchange::order_receives() {
    order_.resize(bound_.receives.size());
    for (std::size_t r = 0; r < order_.size(); ++r) {
        if (!is_watched(r)) continue;
        forwards_ = forwards_ || !bound_.arrivals[r].unlocks.empty();
        order_[r] = relays_++;
        relay_.push_back(static_cast<int>(r));
    }
    int next = relays_;
    for (std::size_t r = 0; r < order_.size(); ++r)
        if (!is_watched(r)) order_[r] = next++;
    ended_.resize(relay_.size());
}

void Exchange::find_phases() {
    const auto phase_of = [this](std::size_t relay) {
        return bound_.phases[static_cast<std::size_t>(relay_[relay])];
    };
    for (std::size_t relay = 0; relay < relay_.size(); ++relay)
        if (relay + 1 == relay_.size() || phase_of(relay) != phase_of(relay + 1))
            phase_ends_.push_back(static_cast<int>(relay) + 1);
}

void Exchange::order_tasks() {
    const auto count = bound_.tasks.size();
    ready_.reserve(count);
    for (std::size_t task = 0; task < count; ++task)
        if (bound_.tasks[task].waits_for == 0) at_start_.push_back(static_cast<int>(task));
    if (at_start_.size() < count) missing_.resize(count);
}

TransferList Exchange::transfers(std::optional<int> tag) {
    TransferList list;
    for (const auto& receive : bound_.receives) list.receives.push_back(&receive.transfer);
    for (const auto& send : bound_.sends) list.sends.push_back(&send.transfer);
    list.order = order_;
    list.tag = tag;
    list.checked = checked_;
    list.summed = summed_;
    return list;
}

void Exchange::start(int tag) {
    CARPOOL_EXPECTS(!active_, tag);
    active_ = true;
    relays_left_ = relays_;
    phase_ = 0;
    for (const auto& work : bound_.before) work.run();
    transfers_.post(tag);
    for (std::size_t task = 0; task < missing_.size(); ++task)
        missing_[task] = bound_.tasks[task].waits_for;
    for (const int task : at_start_) run(static_cast<std::size_t>(task));
    run_ready();
    bound_.first_copies.run();
}

void Exchange::unlock(const std::vector<int>& tasks) {
    for (const int task : tasks)
        if (--missing_[static_cast<std::size_t>(task)] == 0) ready_.push_back(task);
}

void Exchange::run(std::size_t task) {
    if (task < bound_.sends.size())
        transfers_.launch(task);
    else
        bound_.works[task - bound_.sends.size()].run();
    unlock(bound_.tasks[task].unlocks);
}

/// Runs all tasks that wait for nothing more, and those that become ready by that.
void Exchange::run_ready() {
    if (ready_.empty()) return;
    for (std::size_t next = 0; next < ready_.size(); ++next)
        run(static_cast<std::size_t>(ready_[next]));
    ready_.clear();
}

/// Forwards a message before it unpacks what stays here, unless the forwarded blocks must be
/// unpacked.
void Exchange::arrived(int relay) {
    const auto receive = static_cast<std::size_t>(relay_[static_cast<std::size_t>(relay)]);
    const auto& arrival = bound_.arrivals[receive];
    --relays_left_;
    auto& message = bound_.receives[receive];
    message.read();
    if (arrival.unpacked_first) message.unpack();
    unlock(arrival.unlocks);
    run_ready();
    if (!arrival.unpacked_first) message.unpack();
}

/// Returns true once all watched receives have ended.
bool Exchange::relayed() {
    while (relays_left_ > 0) {
        const auto ended = transfers_.test_some(relays_, ended_);
        if (ended.empty()) return false;
        for (const int relay : ended) arrived(relay);
    }
    return true;
}

bool Exchange::relayed_by_phase() {
    for (; phase_ < phase_ends_.size(); ++phase_) {
        const int first = phase_ > 0 ? phase_ends_[phase_ - 1] : 0;
        const int end = phase_ends_[phase_];
        if (!transfers_.test_receives(first, end)) return false;
        for (int relay = first; relay < end; ++relay) arrived(relay);
    }
    return true;
}

bool Exchange::advance() {
    if (!active_) return true;
    if (!(watch_ == Watch::any ? relayed() : relayed_by_phase())) return false;
    if (!transfers_.test_rest(relays_)) return false;
    complete();
    return true;
}

void Exchange::withdraw() {
    if (active_) transfers_.withdraw();
    active_ = false;
    ready_.clear();
}

void Exchange::complete() {
    for (std::size_t r = 0; r < bound_.receives.size(); ++r)
        if (!is_watched(r)) bound_.receives[r].unpack();
    bound_.last_copies.run();
    for (const auto& work : bound_.last_works) work.run();
    for (const auto& work : bound_.after) work.run();
    active_ = false;
}

}  // namespace carpool::engine
