// SPDX-License-Identifier: MIT
// Times MPI's ordinary collectives: Carpool's persistent, blocking and nonblocking forms against
// the host MPI's, interleaved. Either of the given cases, or of each given collective in each size:
//
//     tools/launch -n 8 collectives [--budget SECONDS] [--seed N] [--json] allreduce/8 bcast/4096
//     tools/launch -n 8 collectives --collectives allreduce,bcast --bytes 8,4096
//
// Algorithm by algorithm (`all`, or names), it times only persistent forms, without costs of inits
// and without overlap:
//
//     tools/launch -n 8 collectives --collectives allreduce --bytes 8 --algorithms all
//                                   [--info carpool_segment=4096,carpool_requests=immediate]

#include "alike.hpp"
#include "collectives/algorithm.hpp"
#include "collectives_options.hpp"
#include "counted.hpp"
#include "group_forms.hpp"
#include "group_race.hpp"
#include "group_report.hpp"

#include <mpi.h>

#include <cstring>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::check;
using bench::Form;
using bench::GroupBlocks;
using bench::GroupCase;
using bench::Timed;

std::vector<std::string> algorithms_of(const bench::Collective& collective,
                                       const std::string& wanted) {
    if (wanted != "all") return bench::split(wanted.empty() ? "auto" : wanted, ',');
    std::vector<std::string> names;
    for (const auto& algorithm : carpool::collectives::algorithms(collective.kind))
        names.emplace_back(algorithm.name);
    names.emplace_back("auto");
    return names;
}

/// Adds Carpool's forms; with `all`, only those of the algorithms that apply.
void add_by_carpool(std::vector<Form>& forms, const GroupCase& what, GroupBlocks& blocks,
                    const bench::CollectivesOptions& options, MPI_Comm comm) {
    for (const auto& name : algorithms_of(*what.collective, options.algorithms)) {
        auto keys = options.keys;
        keys.emplace_back("carpool_algorithm", name);
        const auto info = bench::info_with(keys);
        try {
            forms.push_back(bench::by_carpool(*what.collective, blocks, comm, info.get(), name));
        } catch (const std::exception& error) {
            const bool one_of_all = options.algorithms == "all";
            if (!one_of_all || !std::strstr(error.what(), "does not apply")) throw;
        }
    }
}

/// Throws if a form does not deliver the same bytes as the first.
void verify(const std::vector<Form>& forms, GroupBlocks& blocks) {
    bench::Alike alike(blocks.receive, std::byte{0xA5});
    for (const auto& form : forms)
        alike.run(form.name, [&] {
            form.start();
            form.wait();
        });
}

std::vector<Timed> prepared(const GroupCase& what, GroupBlocks& blocks,
                            const bench::CollectivesOptions& options, MPI_Comm comm) {
    const auto& collective = *what.collective;
    std::vector<Form> forms{bench::host_blocking(collective, blocks, comm),
                            bench::host_nonblocking(collective, blocks, comm),
                            bench::host_persistent(collective, blocks, comm)};
    add_by_carpool(forms, what, blocks, options, comm);
    if (options.algorithms.empty()) {
        forms.push_back(bench::carpool_blocking(collective, blocks, comm));
        forms.push_back(bench::carpool_nonblocking(collective, blocks, comm));
    }
    verify(forms, blocks);
    std::vector<Timed> all;
    for (auto& form : forms) all.emplace_back().form = std::move(form);
    return all;
}

/// Times inits, and how much of a computation each form overlaps.
void time_rest(std::vector<Timed>& all, const GroupCase& what, GroupBlocks& blocks,
               const bench::CollectivesOptions& options, bench::Timing& timing, MPI_Comm comm) {
    constexpr int communicators = 3;
    const auto info = bench::info_with(options.keys);
    const auto by_host = [&](MPI_Comm on) {
        return bench::host_persistent(*what.collective, blocks, on);
    };
    const auto by_carpool = [&](MPI_Comm on) {
        return bench::by_carpool(*what.collective, blocks, on, info.get(), "auto");
    };
    bench::time_inits(all[2], by_host, communicators, comm);
    bench::time_inits(all[3], by_carpool, communicators, comm);
    bench::race_computations(all, timing, comm);
}

void measure(const GroupCase& what, const bench::CollectivesOptions& options, bench::Timing& timing,
             MPI_Comm comm) {
    GroupBlocks blocks(what.collective->shape, what.bytes, comm);
    auto all = prepared(what, blocks, options, comm);
    if (options.starts > 0)
        return bench::count_starts({all[1].form, all[2].form, all[3].form, all.at(5).form},
                                   options.starts, comm);
    bench::race_starts(all, timing, comm);
    if (options.algorithms.empty()) time_rest(all, what, blocks, options, timing, comm);
    if (options.json)
        bench::emit(bench::to_json(what, all, options.budget, comm), blocks.rank);
    else if (blocks.rank == 0)
        bench::print(what, all, blocks.ranks);
}

void run(int argc, char** argv) {
    const auto options = bench::collectives_options(argc, argv);
    const auto comm = bench::duplicate(MPI_COMM_WORLD);
    if (options.json)
        bench::emit_run({{"seed", options.seed}, {"budget", options.budget}}, comm.get());
    bench::Timing timing{options.budget, std::mt19937_64(options.seed)};
    for (const auto& what : options.cases) measure(what, options, timing, comm.get());
}

}  // namespace

int main(int argc, char** argv) { return bench::program("collectives", argc, argv, run); }
