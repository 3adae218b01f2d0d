// SPDX-License-Identifier: MIT
// Settings in the environment: lines such as "ALPHA=1e-6", each of which sets CARPOOL_ALPHA.

#include "neighbor/topology/settings.hpp"
#include "arguments/keys.hpp"
#include "base/expects.hpp"
#include "fuzz.hpp"
#include "mpi/error.hpp"
#include "ordinary/settings.hpp"
#include "refused.hpp"
#include "sparse/settings.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

using namespace carpool;

namespace {

/// Variables that are set as long as it lives.
class Environment {
public:
    explicit Environment(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) add(line);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const auto& name : names_) unsetenv(name.c_str());
    }

private:
    void add(const std::string& line) {
        const auto equals = line.find('=');
        if (equals == line.npos) return;
        const auto name = "CARPOOL_" + line.substr(0, equals);
        if (setenv(name.c_str(), line.c_str() + equals + 1, 1) == 0) names_.push_back(name);
    }

    std::vector<std::string> names_;
};

}  // namespace

void fuzz::read(const std::string& input) {
    const Environment environment(input);
    arguments::digest_of_environment();
    refuse_or<mpi::Error>([] { neighbor::NeighborSettings::from_environment().claim(); });
    refuse_or<mpi::Error>([] { sparse::SparseSettings::from_environment(8).claim(); });
    for (const auto kind : collectives::kinds())
        refuse_or<mpi::Error>(
            [kind] { ordinary::CollectiveSettings::of(kind, MPI_INFO_NULL).claims(); });
}
