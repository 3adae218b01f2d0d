// SPDX-License-Identifier: MIT
/// A Taylor-Green vortex decays on a periodic domain, by lattice Boltzmann: D2Q9, D3Q19 or
/// D3Q27, one block of cells per rank. Compares exchanges of the halo, and exits with 1 unless
/// every check holds.

#include "race.hpp"

#include <exception>

namespace demo {
namespace {

std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    check(MPI_Get_library_version(text.data(), &length));
    std::string version(text.data(), length);
    std::replace(version.begin(), version.end(), '\t', ' ');
    return version.substr(0, version.find_first_of("\n,"));
}

template <int D, int Q>
bool simulate(const Settings& settings) {
    Report report = Race<D, Q>(settings).run();
    if (rank_in(MPI_COMM_WORLD) == 0) {
        report.title = "D" + std::to_string(D) + "Q" + std::to_string(Q) + " on " +
                       std::to_string(size_of(MPI_COMM_WORLD)) + " ranks, " +
                       std::to_string(settings.cells) + "^" + std::to_string(D) + " cells each, " +
                       std::to_string(settings.steps) + " steps";
        report.library = library_version();
        print(report);
        if (!settings.json.empty()) write_json(report, settings.json);
    }
    int all_hold = report.passed();
    check(MPI_Bcast(&all_hold, 1, MPI_INT, 0, MPI_COMM_WORLD));
    return all_hold != 0;
}

enum ExitCode { passed = 0, failed = 1, wrong_usage = 2 };

ExitCode run(const std::vector<std::string>& words) {
    const bool root = rank_in(MPI_COMM_WORLD) == 0;
    try {
        const std::optional<Settings> settings = parse(words);
        if (!settings && root) print_help();
        if (!settings) return passed;
        const bool holds = settings->speeds == 9    ? simulate<2, 9>(*settings)
                           : settings->speeds == 19 ? simulate<3, 19>(*settings)
                                                    : simulate<3, 27>(*settings);
        return holds ? passed : failed;
    } catch (const std::invalid_argument& error) {
        if (root) std::fprintf(stderr, "taylor_green: %s\n", error.what());
        return wrong_usage;
    }
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        const int code = demo::run(std::vector<std::string>(argv + 1, argv + argc));
        MPI_Finalize();
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "taylor_green: %s\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, demo::failed);
    }
}
