// SPDX-License-Identifier: MIT
#pragma once

#include "current_step.hpp"
#include "draws.hpp"
#include "entry_types.hpp"
#include "environment.hpp"
#include "ghost_trial.hpp"
#include "handles.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <carpool/carpool.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A map of ghosts of a random shape, with random exchanges.
class RandomGhostMap {
public:
    /// What all maps of a program share.
    struct Shared {
        const GhostOperators& operators;
        const std::vector<Op>& ops;  ///< theirs
        const EntryTypes& types;
        std::deque<Bytes>& memory;  ///< the arrays, at the same addresses in each map
        ReusedHandles& operations_under_test;
        Draws& own;  ///< differs between ranks
    };

    /// @param draws  in the same state on all ranks of comm
    RandomGhostMap(MPI_Comm comm, Draws draws, Shared shared)
        : comm_(comm), draws_(std::move(draws)), shared_(shared) {
        const auto shape = draws_.one_of(ghost_shapes());
        sets_ = ::random_ghosts(shape, size_of(comm),
                                [this](int low, int high) { return draws_.between(low, high); });
        rule_ = draws_.one_of(rules);
        reproducible_ = draws_.one_in(4);
        checks_all_ = draws_.one_in(8);
        what_ = shape + ", " + (rule_ == nullptr ? "no rule" : rule_) +
                (reproducible_ ? ", reproducible" : "") + (checks_all_ ? ", checked by all" : "");
    }
    RandomGhostMap(const RandomGhostMap&) = delete;
    RandomGhostMap& operator=(const RandomGhostMap&) = delete;
    ~RandomGhostMap() {
        if (map_ != CARPOOL_GHOSTS_NULL) Carpool_Ghosts_free(&map_);
    }

    const std::string& what() const { return what_; }
    bool is_freed() const { return map_ == CARPOOL_GHOSTS_NULL; }

    /// Makes the map. Returns what is wrong.
    std::string create() {
        std::optional<Environment> sums;
        if (reproducible_) sums.emplace("CARPOOL_SUMS", "reproducible");
        const auto info = info_of({});
        if (rule_ != nullptr) MPI_Info_set(info, "carpool_algorithm", rule_);
        if (checks_all_) MPI_Info_set(info, "carpool_check", "all");
        return said("create", draws_.one_in(3) ? create_by_ranges(info) : create_by_owner(info));
    }

    /// Makes some exchanges at once, starts each several times, and looks at the results.
    /// @param made  is increased by the number of exchanges
    std::string exchange(std::int64_t& made) {
        auto trials = some_trials();
        const std::uint32_t starts = draws_.one_in(4) ? 8 : 2;
        const bool bundles = draws_.one_in(6);
        const bool frees = draws_.one_in(6);
        std::string wrong = begin_persistent(trials);
        if (bundles && wrong.empty()) wrong = bundle(trials);
        for (std::uint32_t start = 0; start < starts && wrong.empty(); ++start) {
            const bool last = start + 1 == starts;
            wrong = run(trials, draws_.bits(), frees && last);
            made += std::ssize(trials);
        }
        if (bundle_ != CARPOOL_REQUEST_NULL) Carpool_Request_free(&bundle_);
        return wrong.empty() ? "" : what_ + wrong;
    }

private:
    using Trials = std::vector<std::unique_ptr<GhostTrial>>;

    static constexpr std::array<const char*, 11> rules{
        nullptr,  nullptr,   "auto",       "direct",    "node", "node:1",
        "node:2", "friends", "cumulative", "hypercube", "mesh"};

    static constexpr std::size_t memory_of_trials = 2 * 3 * 3;  // arrays, fields and trials

    static std::string said(const std::string& name, int code) {
        return code == MPI_SUCCESS ? "" : "; " + name + ": " + text_of(code);
    }

    std::size_t rank() const { return static_cast<std::size_t>(rank_in(comm_)); }

    int create_by_owner(MPI_Info info) {
        auto owners = sets_.owners[rank()];
        std::vector<MPI_Count> indices(sets_.indices[rank()].begin(), sets_.indices[rank()].end());
        const int code = Carpool_Ghosts_create(comm_, sets_.owned[rank()], std::ssize(indices),
                                               owners.data(), indices.data(), info, &map_);
        std::ranges::fill(owners, -1);
        std::ranges::fill(indices, -1);
        return code;
    }

    int create_by_ranges(MPI_Info info) {
        std::vector<MPI_Count> ranges{draws_.between(-50, 1000)};
        for (const auto owned : sets_.owned) ranges.push_back(ranges.back() + owned);
        std::vector<MPI_Count> numbers;
        for (std::size_t i = 0; i < sets_.owners[rank()].size(); ++i)
            numbers.push_back(ranges[static_cast<std::size_t>(sets_.owners[rank()][i])] +
                              sets_.indices[rank()][i]);
        return Carpool_Ghosts_create_ranges(comm_, ranges.data(), std::ssize(numbers),
                                            numbers.data(), info, &map_);
    }

    Bytes& next_memory(std::size_t& used) {
        while (shared_.memory.size() <= used) shared_.memory.emplace_back();
        return shared_.memory[used++];
    }

    Trials some_trials() {
        Trials trials;
        std::size_t memory = 0;
        for (int i = draws_.between(1, 3); i > 0; --i)
            trials.push_back(draws_.one_in(2) ? an_update(memory) : a_reduction(memory));
        return trials;
    }

    int some_fields() { return draws_.one_in(40) ? 0 : std::max(1, draws_.between(-2, 3)); }

    /// With MPICH a persistent request on a single rank does not keep its operator alive
    /// (carpool.h).
    GhostTrial::CollectiveVariant a_manner(const std::string& name) {
        const auto form =
            draws_.one_of(std::array{Form::blocking, Form::nonblocking, Form::persistent});
        const bool is_kept = form != Form::persistent || size_of(comm_) > 1;
        const bool drops = draws_.one_in(3) && is_kept;
        const bool moves = draws_.one_in(2);
        return {.form = form,
                .drops = drops,
                .moves = moves,
                .name = std::string(name_of(form)) + " " + name + (drops ? ", dropped" : "") +
                        (moves ? ", moved" : "")};
    }

    std::unique_ptr<GhostTrial> an_update(std::size_t& memory) {
        auto trial = std::make_unique<GhostTrial>(a_manner("update"));
        for (int fields = some_fields(); fields > 0; --fields) {
            const int units = draws_.one_in(20) ? 0 : draws_.between(1, 5);
            const bool differs = draws_.one_in(3);
            const auto common = draws_.bits();
            const auto number = differs ? shared_.own.bits() : common;
            const auto most =
                std::max<std::int64_t>(sets_.owned[rank()], std::ssize(sets_.owners[rank()]));
            add_field(*trial, shared_.types.layout(number, units, most, *trial), std::nullopt,
                      memory);
        }
        return trial;
    }

    std::unique_ptr<GhostTrial> a_reduction(std::size_t& memory) {
        const auto& all = shared_.operators.all();
        const auto which =
            static_cast<std::size_t>(draws_.between(0, static_cast<int>(all.size()) - 1));
        const auto& op = all[which];
        auto variant = a_manner("reduction, " + op.name);
        variant.reduces = &op;
        variant.op = op.function == nullptr ? op.predefined : MPI_Op(shared_.ops[which]);
        variant.in_order = !op.commutes || reproducible_ || is_direct();
        auto trial = std::make_unique<GhostTrial>(std::move(variant));
        for (int fields = some_fields(); fields > 0; --fields) {
            const auto& element = draws_.one_of(op.types);
            const int count = draws_.one_in(20) ? 0 : draws_.between(1, 5);
            add_field(*trial, {count, element.type}, element, memory);
        }
        return trial;
    }

    bool is_direct() const { return rule_ != nullptr && rule_ == std::string("direct"); }

    void add_field(GhostTrial& trial, EntryLayout layout, std::optional<Summable> element,
                   std::size_t& memory) {
        auto& owned = next_memory(memory);
        auto& ghosts = next_memory(memory);
        trial.add(std::make_unique<GhostField>(sets_, static_cast<int>(rank()), layout, element,
                                               draws_.bits(), owned, ghosts));
    }

    std::string begin_persistent(Trials& trials) {
        for (auto& trial : trials)
            if (trial->is_persistent())
                if (const int code =
                        trial->begin(map_, MPI_INFO_NULL, shared_.operations_under_test))
                    return said(trial->name(), code);
        return "";
    }

    /// Makes a bundle of all persistent requests.
    std::string bundle(Trials& trials) {
        std::vector<Carpool_Request> requests;
        for (auto& trial : trials)
            if (trial->is_persistent()) requests.push_back(trial->request());
        return said("bundle", Carpool_Bundle_init(static_cast<int>(requests.size()),
                                                  requests.data(), comm_, MPI_INFO_NULL, &bundle_));
    }

    bool in_bundle(const GhostTrial& trial) const {
        return bundle_ != CARPOOL_REQUEST_NULL && trial.is_persistent();
    }

    std::string run(Trials& trials, std::uint32_t start, bool frees) {
        std::string wrong;
        std::size_t used = memory_of_trials + shared_.own.bits() % 8;
        for (auto& trial : trials)
            trial->prepare(start, [&]() -> Bytes& { return next_memory(used); });
        if (bundle_ != CARPOOL_REQUEST_NULL) wrong += said("start", Carpool_Start(&bundle_));
        for (auto& trial : trials) {
            note_step(what_ + "; " + trial->name());
            if (!trial->is_persistent())
                wrong += said(trial->name(),
                              trial->begin(map_, MPI_INFO_NULL, shared_.operations_under_test));
            else if (!in_bundle(*trial))
                wrong += said(trial->name(), trial->start());
        }
        if (frees) wrong += said("free", Carpool_Ghosts_free(&map_));
        return wrong + end(trials);
    }

    /// Completes all exchanges, in an order of this rank's own.
    std::string end(Trials& trials) {
        std::string wrong;
        std::vector<GhostTrial*> order;
        for (auto& trial : trials) order.push_back(trial.get());
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[shared_.own.bits() % i]);
        for (auto* trial : order) {
            note_step(what_ + "; end of " + trial->name());
            if (!in_bundle(*trial)) wrong += said(trial->name(), trial->wait());
        }
        if (bundle_ != CARPOOL_REQUEST_NULL)
            wrong += said("bundle", Carpool_Wait(&bundle_, MPI_STATUS_IGNORE));
        for (auto& trial : trials)
            if (const auto fault = trial->fault(); !fault.empty())
                wrong += "; " + trial->name() + ": " + fault;
        return wrong;
    }

    MPI_Comm comm_;
    Draws draws_;
    Shared shared_;
    GhostSets sets_;
    const char* rule_;
    bool reproducible_;
    bool checks_all_;
    std::string what_;
    Carpool_Ghosts map_ = CARPOOL_GHOSTS_NULL;
    Carpool_Request bundle_ = CARPOOL_REQUEST_NULL;
};

}  // namespace carpool::tests
