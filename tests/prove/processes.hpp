// SPDX-License-Identifier: MIT
#pragma once

#include "checker.hpp"
#include "clock.hpp"
#include "explorer.hpp"
#include "memory_model.hpp"

#include <ucontext.h>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace carpool::model {

/// The processes of one execution after the other, as coroutines of this one. Before each access to
/// an atomic object that several of them use, another one may take over.
class Processes {
public:
    Processes(const Bounds& bounds, Seed seed);

    /// Runs an execution. Returns its fault, if there is one.
    std::optional<std::string> execute(const Scenario& scenario);

    /// Turns to the next execution. Returns false if all have been explored.
    bool advance();

    double progress() const { return explorer_.progress(); }
    std::int64_t accesses() const { return accesses_; }
    const std::set<Site>& ordered() const { return ordered_; }
    const std::set<Site>& loads() const { return loads_; }

    /// The execution that runs; null outside of one.
    static Processes* current;

    // For the process that runs

    void run(const std::vector<Run::Process>& all);
    void await(const std::function<bool()>& holds);
    bool killed() const { return kills_ > 0; }
    [[noreturn]] void fail(const std::string& what);

    /// Another process may take over here. Returns what the access is to be.
    Access reach(std::uintptr_t address, int bytes, Order order, Site site);

    std::uint64_t load(const Access& access);

    /// The access has been made. @param value  that it has read or written
    void note(const Access& access, const char* what, std::uint64_t value) {
        trace_.push_back({access.process, what, value, access.site});
    }
    std::size_t running() const { return running_; }
    MemoryModel& memory() { return memory_; }

private:
    static constexpr std::size_t stack_bytes = std::size_t{1} << 18;

    enum class State { absent, ready, waiting, over };

    struct Process {
        State state = State::absent;
        Run::Process work = {};
        ucontext_t context = {};
        std::uint64_t seen = 0;  // how many values of others were there when it began to wait
        bool saw_old = false;    // it has read old values, so that looking again may help
        std::vector<std::byte> stack = std::vector<std::byte>(stack_bytes);
    };

    struct Step {
        std::size_t process;
        const char* what;
        std::uint64_t value;
        Site site;
    };

    static void enter();
    void begin(std::size_t process, Run::Process work);
    bool can_go_on(std::size_t process);
    std::vector<std::size_t> others();
    void switch_to(std::size_t process);
    void give_way();
    void wake(std::size_t process);
    std::size_t chosen_next();
    void let_others_in();
    void end_running();
    void stop();

    Bounds bounds_;
    Seed seed_;
    Explorer explorer_;
    MemoryModel memory_;
    Process processes_[most_processes];
    ucontext_t outside_ = {};
    std::size_t running_ = 0;
    int preemptions_ = 0;
    int kills_ = 0;
    std::optional<std::string> fault_;
    std::vector<Step> trace_;
    std::int64_t accesses_ = 0;
    std::set<Site> ordered_;
    std::set<Site> loads_;

    // Which objects several processes use: where only one does, no other need take over. Learnt
    // from one execution for the next ones.
    std::unordered_map<std::uintptr_t, std::size_t> first_user_;
    std::set<std::uintptr_t> shared_;
    bool has_learnt_ = false;
};

}  // namespace carpool::model
