// SPDX-License-Identifier: MIT
#pragma once

#include "collective_case.hpp"
#include "collectives/algorithm.hpp"
#include "current_step.hpp"
#include "refusal.hpp"
#include "world.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// How a collective is planned, bound and called: algorithm, form of the init, settings.
struct CollectiveVariant {
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
inline collectives::Problem problem_of(const CollectiveCase& one_case, int ranks) {
    collectives::Problem problem{kind_of(one_case.call.what), ranks, one_case.call.root, {8}};
    problem.commutes = one_case.commutes;
    if (one_case.varies) {
        problem.sent.assign(static_cast<std::size_t>(ranks), 8);
        problem.received = problem.sent;
    }
    return problem;
}

inline bool applies(const std::string& algorithm, const CollectiveCase& one_case, int ranks,
                    std::shared_ptr<const topology::Nodes> nodes = nullptr) {
    if (algorithm == "auto") return true;
    auto problem = problem_of(one_case, ranks);
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

/// Checks collectives on a communicator.
class CollectiveChecks {
public:
    /// @param nodes  nodes of the ranks; null if all are on one
    explicit CollectiveChecks(MPI_Comm comm, std::shared_ptr<const topology::Nodes> nodes = nullptr)
        : comm_(comm), nodes_(std::move(nodes)) {
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }

    /// Starts a request three times with different contents; or checks that it is refused, if the
    /// algorithm does not apply.
    /// @note Collective over comm.
    void run(const CollectiveCase& one_case, const CollectiveVariant& variant) {
        const auto what = one_case.text + ": " + variant.text();
        note_step(what);
        const bool refused = !applies(variant.algorithm, one_case, size_of(comm_), nodes_);
        const auto fault =
            refused ? fault_of_refusal(one_case, variant) : fault_of(one_case, variant);
        faults_ += !fault.empty();
        BOOST_TEST(fault.empty(), what << ": " << fault);
    }

    int faults() const { return faults_; }

private:
    std::string fault_of(const CollectiveCase& one_case, const CollectiveVariant& variant) {
        const auto info = variant.info();
        CheckedCollective collective(one_case);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const int code = collective.init({variant.form, comm_, info}, &request);
        if (code != MPI_SUCCESS) return "the init fails: " + text_of(code);
        std::string fault;
        for (int start = 0; start < 3; ++start) {
            collective.prepare(start);
            const int started = started_and_completed(request, start + faults_ + turn_++);
            if (fault.empty() && started != MPI_SUCCESS) fault = text_of(started);
            if (fault.empty()) fault = collective.fault();
            if (!fault.empty()) fault += ", start " + std::to_string(start);
        }
        if (fault.empty()) fault = fault_of_plan(request, variant);
        if (Carpool_Request_free(&request) != MPI_SUCCESS) fault += ", cannot be freed";
        const auto by_host = collective.fault_of_host(comm_);
        return fault.empty() ? by_host : fault;
    }

    std::string fault_of_plan(Carpool_Request request, const CollectiveVariant& variant) const {
        Carpool_Plan plan{};
        Carpool_Request_get_plan(request, &plan);
        const std::string algorithm = plan.algorithm;
        const bool right = variant.algorithm == "auto" ? !algorithm.empty() && algorithm != "auto"
                                                       : algorithm == variant.algorithm;
        return right ? "" : "the plan is of '" + algorithm + "'";
    }

    std::string fault_of_refusal(const CollectiveCase& one_case, const CollectiveVariant& variant) {
        const auto info = variant.info();
        CheckedCollective collective(one_case);
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        int code = collective.init({variant.form, comm_, info}, &request);
        if (is_at_once(variant.form)) {
            if (code != MPI_SUCCESS) return "the init fails: " + text_of(code);
            code = started_and_completed(request, turn_++);
            Carpool_Request_free(&request);
        }
        const auto fault =
            mismatch({MPI_ERR_INFO_VALUE, {"carpool_algorithm", variant.algorithm}}, code);
        return fault.empty() ? collective.effect() : "the error " + fault;
    }

    MPI_Comm comm_;
    std::shared_ptr<const topology::Nodes> nodes_;
    int faults_ = 0;
    int turn_ = 0;
};

}  // namespace carpool::tests
