// SPDX-License-Identifier: MIT
// Times what comes before the first exchange: making the neighborhood and planning one operation,
// compared with the same steps of the host MPI. Prints JSON lines as neighborhoods does.
//
//     tools/launch -n 8 planning grid-d5-n5 moore-d5-r3

#include "check.hpp"
#include "program.hpp"
#include "report.hpp"
#include "scene.hpp"
#include "statistics.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using bench::check;

/// One step of planning on a scene; it frees what it has made.
struct Step {
    std::string_view name;
    void (*run)(bench::Scene&);
};

void plan_carpool(bench::Scene& s, const std::string& algorithm) {
    const auto info = bench::info_with({{"carpool_algorithm", algorithm}});
    Carpool_Request request = CARPOOL_REQUEST_NULL;
    check(s.what.operation->carpool_persistent(s.blocks, s.checked.get(), info.get(), &request));
    check(Carpool_Request_free(&request));
}

void plan_host(bench::Scene& s) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(s.what.operation->host_persistent(s.blocks, s.host.get(), MPI_INFO_NULL, &request));
    check(MPI_Request_free(&request));
}

void create_neighborhood(bench::Scene& s) {
    bench::neighborhood(s.world, s.torus, s.what.pattern, bench::info_with({}));
}

/// The other form in [1] table 2, beside the adjacent one: each rank names only its own targets.
void create_graph(bench::Scene& s) {
    int t = 0;
    check(Carpool_Cart_neighbor_count(s.checked.get(), &t));
    std::vector<int> sources(static_cast<std::size_t>(t)), targets(sources), weights(sources);
    check(Carpool_Cart_neighbor_get(s.checked.get(), t, sources.data(), weights.data(), t,
                                    targets.data(), weights.data()));
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Dist_graph_create(s.world, 1, &s.rank, &t, targets.data(), MPI_UNWEIGHTED,
                                MPI_INFO_NULL, 0, &made));
    check(MPI_Comm_free(&made));
}

const std::array steps{
    Step{"Carpool_Cart_neighborhood_create", create_neighborhood},
    Step{"MPI_Dist_graph_create_adjacent",
         [](auto& s) { bench::host_graph(s.world, s.checked.get()); }},
    Step{"MPI_Dist_graph_create", create_graph},
    Step{"Carpool_Neighbor_alltoall_init direct", [](auto& s) { plan_carpool(s, "direct"); }},
    Step{"Carpool_Neighbor_alltoall_init torus", [](auto& s) { plan_carpool(s, "torus"); }},
    Step{"Carpool_Neighbor_alltoall_init cartesian", [](auto& s) { plan_carpool(s, "cartesian"); }},
    Step{"Carpool_Neighbor_alltoall_init auto", [](auto& s) { plan_carpool(s, "auto"); }},
    Step{"MPI_Neighbor_alltoall_init", plan_host},
};

/// Processor time of this rank; wall time would be longer where ranks outnumber cores.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
    std::vector<double> wall;  // on the slowest rank
    std::vector<double> cpu;   // on the rank with the least, which therefore waited least
};

Times repeated(const Step& step, bench::Scene& scene, double budget) {
    Times times;
    double spent = 0;
    for (int r = 0; r < 3 || (spent < budget && r < 50); ++r) {
        check(MPI_Barrier(scene.world));
        const double cpu = cpu_seconds(), wall = MPI_Wtime();
        step.run(scene);
        const double wall_taken = MPI_Wtime() - wall, cpu_taken = cpu_seconds() - cpu;
        times.wall.push_back(bench::largest(wall_taken, scene.world));
        times.cpu.push_back(-bench::largest(-cpu_taken, scene.world));
        spent += times.wall.back();
    }
    return times;
}

bench::json::object timed(const Step& step, bench::Scene& scene) {
    const auto times = repeated(step, scene, 1.0);
    return {{"name", step.name},
            {"repetitions", times.wall.size()},
            {"wall", bench::to_json(bench::quartiles(times.wall))},
            {"cpu", bench::to_json(bench::quartiles(times.cpu))}};
}

void plan(const std::string& pattern, MPI_Comm comm) {
    bench::Scene scene(comm, bench::case_named(pattern + "/alltoall/4"));
    bench::json::array results;
    for (const auto& step : steps) results.push_back(timed(step, scene));
    bench::emit({{"event", "planning"},
                 {"case", pattern},
                 {"t", scene.what.pattern.neighbors()},
                 {"dims", bench::json::value_from(scene.torus.dims)},
                 {"steps", std::move(results)}},
                scene.rank);
}

void run(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) plan(argv[i], MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) { return bench::program("planning", argc, argv, run); }
