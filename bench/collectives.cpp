// Times MPI's ordinary collectives: Carpool's persistent form against the host's blocking,
// nonblocking and persistent ones, interleaved. Of a case, or of all collectives by all sizes:
//
//     tools/launch -n 8 collectives [--budget SECONDS] [--seed N] [--json] allreduce/8 bcast/4096
//     tools/launch -n 8 collectives --collectives allreduce,bcast --bytes 8,4096
//
// and, without the costs of init and the overlap, algorithm by algorithm (`all`, or names):
//
//     tools/launch -n 8 collectives --collectives allreduce --bytes 8 --algorithms all
//                                   [--info carpool_segment=4096,carpool_requests=immediate]

#include "collectives/algorithm.hpp"
#include "collectives_options.hpp"
#include "form.hpp"
#include "parts.hpp"
#include "race.hpp"

#include <mpi.h>

#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using bench::check;
using bench::Form;
using bench::GroupBlocks;
using bench::GroupCase;
using bench::Racer;

bench::Communicator duplicate(MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(comm, &copy));
    check(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    return bench::Communicator(copy);
}

std::vector<std::string> algorithms_of(const bench::Collective& collective,
                                       const std::string& wanted) {
    if (wanted != "all") return bench::split(wanted.empty() ? "auto" : wanted, ',');
    std::vector<std::string> names;
    for (const auto& algorithm : carpool::collectives::algorithms(collective.kind))
        names.emplace_back(algorithm.name);
    names.emplace_back("auto");
    return names;
}

/// Carpool's forms; algorithms that don't apply are left out.
void add_by_carpool(std::vector<Form>& forms, const GroupCase& what, GroupBlocks& blocks,
                    const bench::CollectivesOptions& options, MPI_Comm comm) {
    for (const auto& name : algorithms_of(*what.collective, options.algorithms)) {
        auto keys = options.keys;
        keys.emplace_back("carpool_algorithm", name);
        const auto info = bench::info_with(keys);
        try {
            forms.push_back(bench::by_carpool(*what.collective, blocks, comm, info.get(), name));
        } catch (const std::exception& error) {
            if (blocks.rank == 0) std::fprintf(stderr, "%s: %s\n", what.name.c_str(), error.what());
        }
    }
}

/// Throws if some form does not leave the same bytes as the first.
void verify(const std::vector<Form>& forms, GroupBlocks& blocks) {
    std::vector<std::byte> right;
    for (const auto& form : forms) {
        blocks.poison();
        form.start();
        form.wait();
        if (&form == &forms.front()) right = blocks.receive;
        if (blocks.receive != right) throw std::runtime_error(form.name + " gives something else");
    }
}

void print_row(const bench::Entry& entry, const bench::Entry& persistent) {
    const auto q = bench::quartiles(entry.seconds);
    const auto& plan = entry.exchange.plan;
    std::printf("  %-32s %9.1f %9.1f %9.1f %8.2f", std::string(entry.contender->name).c_str(),
                1e6 * q.median, 1e6 * q.first, 1e6 * q.third,
                bench::quartiles(persistent.seconds).median / q.median);
    if (plan)
        std::printf("   %s, %lld phases, %lld messages, %lld B", plan->algorithm,
                    static_cast<long long>(plan->phases), static_cast<long long>(plan->messages),
                    static_cast<long long>(plan->bytes));
    std::printf("\n");
}

void print(const GroupCase& what, const std::vector<bench::Entry>& entries, int ranks) {
    const auto title = what.name + ", " + std::to_string(ranks) + " ranks";
    std::printf("%-34s %9s %9s %9s %8s\n", title.c_str(), "us", "first", "third", "gain");
    const auto& persistent = bench::entry_named(entries, "host persistent");
    for (const auto& entry : entries) print_row(entry, persistent);
    std::fflush(stdout);
}

void measure(const GroupCase& what, const bench::CollectivesOptions& options,
             std::mt19937_64& random, MPI_Comm comm) {
    const auto& collective = *what.collective;
    GroupBlocks blocks(collective.shape, what.bytes, comm);
    std::vector<Form> forms{bench::host_blocking(collective, blocks, comm),
                            bench::host_nonblocking(collective, blocks, comm),
                            bench::host_persistent(collective, blocks, comm)};
    add_by_carpool(forms, what, blocks, options, comm);
    verify(forms, blocks);
    std::vector<Racer> racers;
    std::vector<bench::Contender> names;
    for (const auto& form : forms) {
        racers.push_back(bench::in_parts(form, std::make_shared<bench::Parts>()));
        names.push_back({form.name, "", nullptr});
    }
    const auto entries = bench::raced(racers, names, options.budget, random, comm);
    if (blocks.rank == 0) print(what, entries, blocks.ranks);
}

void run(int argc, char** argv) {
    const auto options = bench::collectives_options(argc, argv);
    const auto comm = duplicate(MPI_COMM_WORLD);
    std::mt19937_64 random(options.seed);
    for (const auto& what : options.cases) measure(what, options, random, comm.get());
}

}  // namespace

int main(int argc, char** argv) { return bench::program("collectives", argc, argv, run); }
