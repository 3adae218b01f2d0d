// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/algorithm.hpp"
#include "refusal.hpp"
#include "scenario.hpp"
#include "whereabouts.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// How a collective is planned, bound and called.
struct Manner {
    std::string algorithm = "auto";
    Init form = Init::narrow;
    const char* transfer = "auto";
    const char* requests = "auto";
    const char* segment = "65536";
    const char* choice = "auto";

    Info info() const {
        return info_of({{"carpool_algorithm", algorithm.c_str()},
                        {"carpool_choice", choice},
                        {"carpool_transfer", transfer},
                        {"carpool_requests", requests},
                        {"carpool_segment", segment}});
    }
    std::string text() const {
        return algorithm + ", " + name_of(form) + ", " + transfer + ", " + requests +
               ", segments of " + segment + ", by " + choice;
    }
};

/// "auto", and all algorithms for the collective.
inline std::vector<std::string> algorithms_of(Collective what) {
    std::vector<std::string> names{"auto"};
    for (const auto& algorithm : collectives::algorithms(kind_of(what)))
        names.emplace_back(algorithm.name);
    return names;
}

/// The problem in the form that the registry of algorithms takes.
inline collectives::Problem problem_of(const Scenario& scenario, int ranks) {
    collectives::Problem problem{kind_of(scenario.call.what), ranks, scenario.call.root, {8}};
    problem.commutes = scenario.commutes;
    if (scenario.varies) {
        problem.sent.assign(static_cast<std::size_t>(ranks), 8);
        problem.received = problem.sent;
    }
    return problem;
}

inline bool applies(const std::string& algorithm, const Scenario& scenario, int ranks,
                    std::shared_ptr<const topology::Nodes> nodes = nullptr) {
    if (algorithm == "auto") return true;
    auto problem = problem_of(scenario, ranks);
    problem.nodes = std::move(nodes);
    return collectives::find_algorithm(problem.kind, algorithm)->applies(problem);
}

/// Completes a request by the completion call of that number.
inline int completed(Carpool_Request& request, int way) {
    int code = MPI_SUCCESS, flag = 0, index = 0;
    if (way % 4 == 0) return Carpool_Wait(&request, MPI_STATUS_IGNORE);
    if (way % 4 == 1) {
        MPI_Status status;
        code = Carpool_Waitall(1, &request, &status);
        return code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code;
    }
    if (way % 4 == 2) return Carpool_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
    while (!flag && code == MPI_SUCCESS) code = Carpool_Test(&request, &flag, MPI_STATUS_IGNORE);
    return code;
}

/// Starts and completes a request; returns the first error code, or success.
inline int started_and_completed(Carpool_Request& request, int way = 0) {
    const int code = Carpool_Start(&request);
    return code == MPI_SUCCESS ? completed(request, way) : code;
}

/// Runs scenarios on a communicator and reports errors.
class CollectiveTrial {
public:
    /// @param nodes  nodes of the ranks; null if all are on one
    explicit CollectiveTrial(MPI_Comm comm, std::shared_ptr<const topology::Nodes> nodes = nullptr)
        : comm_(comm), nodes_(std::move(nodes)) {
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }

    /// Starts a request three times with different contents; or checks that it is refused, if the
    /// algorithm does not apply.
    /// @note Collective over comm.
    void run(const Scenario& scenario, const Manner& manner) {
        const auto what = scenario.text + ": " + manner.text();
        doing(what);
        const bool refused = !applies(manner.algorithm, scenario, size_of(comm_), nodes_);
        const auto fault =
            refused ? fault_of_refusal(scenario, manner) : fault_of(scenario, manner);
        faults_ += !fault.empty();
        BOOST_TEST(fault.empty(), what << ": " << fault);
    }

    int faults() const { return faults_; }

private:
    std::string fault_of(const Scenario& scenario, const Manner& manner) {
        const auto info = manner.info();
        CollectiveJob job(scenario);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code = job.init({manner.form, comm_, info}, &request);
        if (code != MPI_SUCCESS) return "the init fails: " + text_of(code);
        std::string fault;
        for (int start = 0; start < 3; ++start) {
            job.prepare(start);
            const int started = started_and_completed(request, start + faults_ + turn_++);
            if (fault.empty() && started != MPI_SUCCESS) fault = text_of(started);
            if (fault.empty()) fault = job.fault();
            if (!fault.empty()) fault += ", start " + std::to_string(start);
        }
        if (fault.empty()) fault = fault_of_plan(request, manner);
        if (Carpool_Request_free(&request) != MPI_SUCCESS) fault += ", cannot be freed";
        const auto by_host = job.fault_of_host(comm_);
        return fault.empty() ? by_host : fault;
    }

    std::string fault_of_plan(Carpool_Request request, const Manner& manner) const {
        Carpool_Plan plan{};
        Carpool_Request_get_plan(request, &plan);
        const std::string algorithm = plan.algorithm;
        const bool right = manner.algorithm == "auto" ? !algorithm.empty() && algorithm != "auto"
                                                      : algorithm == manner.algorithm;
        return right ? "" : "the plan is of '" + algorithm + "'";
    }

    std::string fault_of_refusal(const Scenario& scenario, const Manner& manner) {
        const auto info = manner.info();
        CollectiveJob job(scenario);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        int code = job.init({manner.form, comm_, info}, &request);
        if (is_at_once(manner.form)) {
            if (code != MPI_SUCCESS) return "the init fails: " + text_of(code);
            code = started_and_completed(request, turn_++);
            Carpool_Request_free(&request);
        }
        const auto fault =
            unlike({MPI_ERR_INFO_VALUE, {"carpool_algorithm", manner.algorithm}}, code);
        return fault.empty() ? job.trace() : "the error " + fault;
    }

    MPI_Comm comm_;
    std::shared_ptr<const topology::Nodes> nodes_;
    int faults_ = 0;
    int turn_ = 0;
};

}  // namespace carpool::tests
