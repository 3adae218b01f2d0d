// SPDX-License-Identifier: MIT
// Verifies every schedule of every family, up to a number of ranks.
//
//   families                    up to 8 ranks, and a few primes
//   families 64 bcast grids     up to 64 ranks, of these families alone

#include "family.hpp"
#include "random_source.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace {

using namespace families;

std::vector<Family> all_families() {
    std::vector<Family> all;
    for (const auto some :
         {collective_families(), grid_families(), graph_families(), other_families()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

Scope scope_to(int most, int most_partitioned) {
    Scope scope{{}, most_partitioned};
    for (int ranks = 1; ranks <= most; ++ranks) scope.ranks.push_back(ranks);
    return scope;
}

/// Up to 8 ranks, and two primes; fewer where programs are slow.
Scope few_ranks() {
    auto scope = scope_to(up_to(8), 4);
    for (const int ranks : {11, 13})
        if (ranks <= up_to(13)) scope.ranks.push_back(ranks);
    return scope;
}

constexpr int faults_in_one_of = 47;  // primes, so that all kinds of exchanges get their turn
constexpr int faults_in_one_of_many = 499;

void print_row(std::string_view family, std::string_view method, const Counts& counts) {
    std::printf("| %s | %.*s | %lld | %lld | %lld | %lld | %lld of %lld | %lld |\n", family.data(),
                static_cast<int>(method.size()), method.data(),
                static_cast<long long>(counts.exchanges), static_cast<long long>(counts.schedules),
                static_cast<long long>(counts.messages), static_cast<long long>(counts.blocks),
                static_cast<long long>(counts.faults_found), static_cast<long long>(counts.faults),
                static_cast<long long>(counts.refused));
}

/// Returns whether all schedules are correct, and all faults were found.
bool verify(const Family& family, const Scope& scope, bool many) {
    const auto begun = std::chrono::steady_clock::now();
    Tally tally(many ? faults_in_one_of_many : faults_in_one_of);
    family.run(scope, tally);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    if (many)
        for (const auto& [method, counts] : tally.by_method())
            print_row(family.name, method, counts);
    const auto total = tally.total();
    print_row(family.name, "all", total);
    std::printf("%s took %.1f s\n", family.name.data(), took.count());
    std::fflush(stdout);
    return total.refused == 0 && total.faults == total.faults_found && total.exchanges > 0;
}

}  // namespace

int main(int argc, char* argv[]) {
    const bool many = argc > 1;
    const auto scope = many ? scope_to(std::atoi(argv[1]), 7) : few_ranks();
    std::puts(
        "| family | method | exchanges | schedules | messages | blocks | faults found | refused |");
    int verified = 0;
    bool correct = true;
    for (const auto& family : all_families()) {
        bool chosen = argc <= 2;
        for (int i = 2; i < argc; ++i) chosen = chosen || family.name == argv[i];
        if (!chosen) continue;
        ++verified;
        correct = verify(family, scope, many) && correct;
    }
    return correct && verified > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
