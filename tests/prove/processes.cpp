// SPDX-License-Identifier: MIT
#include "processes.hpp"

#include "arena.hpp"
#include "sites.hpp"

#include <cstdlib>
#include <utility>

namespace carpool::model {

Processes* Processes::current = nullptr;

Processes::Processes(const Bounds& bounds, Seed seed)
    : bounds_(bounds),
      seed_(std::move(seed)),
      memory_([this](int answers) { return explorer_.choose(answers); },
              [this](const std::string& what) { fail(what); }) {}

std::optional<std::string> Processes::execute(const Scenario& scenario) {
    for (auto& process : processes_) process.work = {};  // before the memory that it has taken
    Arena::reset();
    memory_.reset(bounds_.stale);
    preemptions_ = 0;
    kills_ = 0;
    fault_.reset();
    trace_.clear();
    first_user_.clear();
    for (auto& process : processes_) process.state = State::absent;
    current = this;
    begin(0, [&scenario] {
        Run run;
        scenario(run);
    });
    running_ = 0;
    swapcontext(&outside_, &processes_[0].context);
    Arena::in_use = false;
    current = nullptr;
    return fault_;
}

bool Processes::advance() {
    if (!std::exchange(has_learnt_, false)) return explorer_.advance();
    explorer_.begin_anew();
    return true;
}

/// The first function of a process.
void Processes::enter() {
    Arena::in_use = true;
    auto& all = *current;
    all.processes_[all.running_].work();
    all.end_running();
}

void Processes::begin(std::size_t process, Run::Process work) {
    const OutsideArena outside;
    auto& begun = processes_[process];
    begun.state = State::ready;
    begun.work = std::move(work);
    getcontext(&begun.context);
    begun.context.uc_stack.ss_sp = begun.stack.data();
    begun.context.uc_stack.ss_size = begun.stack.size();
    begun.context.uc_link = nullptr;
    makecontext(&begun.context, &Processes::enter, 0);
}

/// Process 0 goes on when all others are over, or wait for one that was killed.
void Processes::run(const std::vector<Run::Process>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        begin(i + 1, all[i]);
        memory_.order(0, i + 1);
    }
    processes_[0].state = State::waiting;
    give_way();
    for (std::size_t i = 0; i < all.size(); ++i) memory_.order(i + 1, 0);
    for (std::size_t p = 1; p < most_processes; ++p) processes_[p].state = State::over;
}

void Processes::await(const std::function<bool()>& holds) {
    while (true) {
        memory_.has_seen_old(running_);
        const auto before = memory_.values_by_others(running_);
        if (holds()) break;
        auto& process = processes_[running_];
        process.seen = before;
        process.saw_old = memory_.has_seen_old(running_);
        process.state = State::waiting;
        give_way();
    }
    memory_.see_latest(running_, false);
}

/// A process that waits looks again when another one has written something. One that has read old
/// values may look again at once, at the latest ones.
bool Processes::can_go_on(std::size_t process) {
    const auto& one = processes_[process];
    if (process == 0) return false;
    if (one.state != State::waiting) return one.state == State::ready;
    return one.saw_old || memory_.values_by_others(process) > one.seen;
}

std::vector<std::size_t> Processes::others() {
    std::vector<std::size_t> found;
    for (std::size_t p = 1; p < most_processes; ++p)
        if (p != running_ && can_go_on(p)) found.push_back(p);
    return found;
}

/// It goes on with the latest values if nothing is new since it began to wait.
void Processes::wake(std::size_t process) {
    auto& woken = processes_[process];
    if (woken.state == State::waiting && process != 0)
        memory_.see_latest(process, memory_.values_by_others(process) <= woken.seen);
    woken.state = State::ready;
}

void Processes::switch_to(std::size_t process) {
    auto& from = processes_[running_];
    wake(process);
    running_ = process;
    const bool in_use = Arena::in_use;
    swapcontext(&from.context, &processes_[process].context);
    Arena::in_use = in_use;
}

/// The process that goes on where the running one cannot: process 0 if no other can.
std::size_t Processes::chosen_next() {
    auto able = others();
    if (can_go_on(running_)) able.push_back(running_);
    if (!able.empty())
        return able[static_cast<std::size_t>(explorer_.choose(static_cast<int>(able.size())))];
    for (std::size_t p = 1; p < most_processes; ++p)
        if (processes_[p].state == State::waiting && kills_ == 0)
            fail("process " + std::to_string(p) + " waits for ever");
    return 0;
}

/// The running process cannot go on at present.
void Processes::give_way() {
    std::size_t next = 0;
    {
        const OutsideArena outside;
        next = chosen_next();
    }
    if (next == running_)
        wake(next);
    else
        switch_to(next);
}

void Processes::end_running() {
    processes_[running_].state = State::over;
    if (running_ == 0) return stop();
    give_way();
}

/// Ends the execution.
void Processes::stop() { setcontext(&outside_); }

void Processes::fail(const std::string& what) {
    constexpr std::size_t most_shown = 60;
    const OutsideArena outside;
    std::string text = what + "\n  after";
    const auto first = trace_.size() > most_shown ? trace_.size() - most_shown : 0;
    for (auto i = first; i < trace_.size(); ++i) {
        const auto& [process, done, value, site] = trace_[i];
        text += "\n    process " + std::to_string(process) + " " + done + " " +
                std::to_string(value) + "  " + text_of(site);
    }
    fault_ = std::move(text);
    stop();
    std::abort();  // not reached
}

/// Before an access to an object that several processes use, the running one may be killed, or
/// another one may take over.
void Processes::let_others_in() {
    const bool may_die = kills_ < bounds_.kills;
    const auto able = preemptions_ < bounds_.preemptions ? others() : std::vector<std::size_t>();
    const auto chosen = static_cast<std::size_t>(
        explorer_.choose(1 + static_cast<int>(able.size()) + (may_die ? 1 : 0)));
    if (chosen == 0) return;
    if (chosen > able.size()) {
        ++kills_;
        return end_running();
    }
    ++preemptions_;
    switch_to(able[chosen - 1]);
}

Access Processes::reach(std::uintptr_t address, int bytes, Order order, Site site) {
    const OutsideArena outside;
    constexpr std::size_t most_accesses = 100000;
    ++accesses_;
    if (trace_.size() == most_accesses) fail("a process goes on without end");
    const bool is_ordered = order.acquires || order.releases;
    if (seed_.relaxed.contains(site)) order = {};
    if (running_ != 0) {
        const auto [first, is_new] = first_user_.try_emplace(address, running_);
        if (!is_new && first->second != running_ && shared_.insert(address).second)
            has_learnt_ = true;
        if (shared_.contains(address)) {
            if (is_ordered) ordered_.insert(site);
            let_others_in();
        }
    }
    return {running_, address, bytes, order, site};
}

std::uint64_t Processes::load(const Access& access) {
    if (shared_.contains(access.address)) loads_.insert(access.site);
    if (seed_.repeated.contains(access.site))
        if (const auto before = memory_.read_before(access)) return *before;
    return memory_.load(access);
}

}  // namespace carpool::model
