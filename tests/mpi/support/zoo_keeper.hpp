// SPDX-License-Identifier: MIT
#pragma once

#include "job.hpp"
#include "whereabouts.hpp"
#include "zoo.hpp"

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
class ZooKeeper {
public:
    explicit ZooKeeper(const Place& place)
        : place_(place),
          neighbors_(neighbors_of(world_rank(), place.torus, place.pattern)),
          plain_(neighborhood(place.torus, place.pattern)) {}

    /// Runs all starts of the chosen variants of one operation.
    void run(Operation operation, const std::vector<Variant>& chosen) {
        Job job(slotted(operation, neighbors_, world_rank()), neighbors_);
        for (const Variant& variant : chosen) {
            const auto what = place_.text() + ": " + name_of(operation) + ", " + variant.text();
            doing(what);
            const auto fault = is_persistent(variant.form) ? run_persistent(job, variant)
                                                           : run_by_communicator(job, variant);
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
    std::string run_persistent(Job& job, const Variant& variant) {
        Carpool_Request request = CARPOOL_REQUEST_NULL;
        const auto keys = info(variant);
        if (job.post({variant.form, plain_, keys, &request}) != MPI_SUCCESS) return "init failed";
        std::string fault;
        for (int start = 0; start < variant.starts(); ++start) {
            job.prepare(start);
            Carpool_Start(&request);
            Carpool_Wait(&request, MPI_STATUS_IGNORE);
            if (fault.empty()) fault = job.fault();
            if (!fault.empty()) fault += ", start " + std::to_string(start);
        }
        Carpool_Request_free(&request);
        return fault;
    }

    /// Chooses the rule by the info of the communicator.
    std::string run_by_communicator(Job& job, const Variant& variant) {
        const std::pair key(std::string(variant.algorithm), std::string(variant.transfer));
        auto at = by_info_.find(key);
        if (at == by_info_.end()) {
            auto cart = neighborhood(place_.torus, place_.pattern, info(variant));
            at = by_info_.emplace(key, std::move(cart)).first;
        }
        return run_once(job, variant.form, at->second);
    }

    const Place& place_;
    Neighbors neighbors_;
    Comm plain_;
    std::map<std::pair<std::string, std::string>, Comm> by_info_;
    int faults_ = 0;
};

}  // namespace carpool::tests
