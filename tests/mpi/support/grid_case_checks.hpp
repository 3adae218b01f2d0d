// SPDX-License-Identifier: MIT
#pragma once

#include "checked_exchange.hpp"
#include "current_step.hpp"
#include "grid_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <utility>

namespace carpool::tests {

/// How an exchange is routed, transferred and called.
struct Variant {
    const char* algorithm;
    const char* transfer;
    Form form;

    std::string text() const {
        return std::string(algorithm) + ", " + transfer + ", " + name_of(form);
    }
    int starts() const { return is_persistent(form) ? 3 : 1; }
};

inline std::vector<Variant> variants() {
    std::vector<Variant> all;
    for (const char* algorithm :
         {"direct", "torus", "cartesian", "basis", "node", "node:2", "auto"})
        for (const char* transfer : {"pack", "types", "auto"})
            for (Form form : forms) all.push_back({algorithm, transfer, form});
    return all;
}

/// Runs variants on one place. Communicators are made when first needed.
class GridCaseChecks {
public:
    explicit GridCaseChecks(const Place& place)
        : place_(place),
          neighbors_(neighbors_of(world_rank(), place.torus, place.pattern)),
          plain_(neighborhood(place.torus, place.pattern)) {}

    /// Runs all starts of the chosen variants of one operation.
    void run(Operation operation, const std::vector<Variant>& chosen) {
        CheckedExchange exchange(slotted(operation, neighbors_, world_rank()), neighbors_);
        for (const Variant& variant : chosen) {
            const auto what = place_.text() + ": " + name_of(operation) + ", " + variant.text();
            note_step(what);
            const auto fault = is_persistent(variant.form) ? run_persistent(exchange, variant)
                                                           : run_by_communicator(exchange, variant);
            faults_ += !fault.empty();
            BOOST_TEST(fault.empty(), what << ": " << fault);
        }
    }

    int faults() const { return faults_; }

private:
    static Info info(const Variant& variant) {
        return info_of(
            {{"carpool_algorithm", variant.algorithm}, {"carpool_transfer", variant.transfer}});
    }

    /// Chooses the rule by the info of the init.
    std::string run_persistent(CheckedExchange& exchange, const Variant& variant) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto keys = info(variant);
        if (exchange.make_call({variant.form, plain_, keys, &request}) != MPI_SUCCESS)
            return "init failed";
        std::string fault;
        for (int start = 0; start < variant.starts(); ++start) {
            exchange.prepare(start);
            Carpool_Start(&request);
            Carpool_Wait(&request, MPI_STATUS_IGNORE);
            if (fault.empty()) fault = exchange.fault();
            if (!fault.empty()) fault += ", start " + std::to_string(start);
        }
        Carpool_Request_free(&request);
        return fault;
    }

    /// Chooses the rule by the info of the communicator.
    std::string run_by_communicator(CheckedExchange& exchange, const Variant& variant) {
        const std::pair key(std::string(variant.algorithm), std::string(variant.transfer));
        auto at = by_info_.find(key);
        if (at == by_info_.end()) {
            auto cart = neighborhood(place_.torus, place_.pattern, info(variant));
            at = by_info_.emplace(key, std::move(cart)).first;
        }
        return run_once(exchange, variant.form, at->second);
    }

    const Place& place_;
    Neighbors neighbors_;
    Comm plain_;
    std::map<std::pair<std::string, std::string>, Comm> by_info_;
    int faults_ = 0;
};

}  // namespace carpool::tests
