// SPDX-License-Identifier: MIT
#pragma once

#include "form.hpp"
#include "ghost_calls.hpp"
#include "ghost_field.hpp"
#include "handles.hpp"
#include "reused_handles.hpp"

#include <carpool/carpool.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace carpool::tests {

/// One exchange with its arrays, to be started several times.
class GhostTrial {
public:
    struct CollectiveVariant {
        Form form;
        bool drops;  ///< frees datatypes and the operator at once
        bool moves;  ///< has other arrays in each start, unless it is persistent
        std::string name;
        bool in_order = false;                   ///< sums that round are known
        const GhostOperator* reduces = nullptr;  ///< null for an update
        MPI_Op op = MPI_OP_NULL;                 ///< the oracle's
    };

    explicit GhostTrial(CollectiveVariant variant) : manner_(std::move(variant)) {}
    GhostTrial(const GhostTrial&) = delete;
    GhostTrial& operator=(const GhostTrial&) = delete;
    ~GhostTrial() { request_.free(); }

    void add(std::unique_ptr<GhostField> field) { fields_.push_back(std::move(field)); }
    void own(Type type) { types_.push_back(std::move(type)); }
    MPI_Datatype latest_type() const { return types_.back(); }

    const std::string& name() const { return manner_.name; }
    bool is_persistent() const { return tests::is_persistent(manner_.form); }
    Carpool_Request& request() { return request_.carpool; }

    /// @param another  returns the memory of another array, which no other trial uses
    template <typename Another>
    void prepare(std::uint32_t start, const Another& another) {
        for (auto& field : fields_) {
            if (manner_.moves && !is_persistent()) field->move(another(), another());
            field->prepare(start, reduces());
        }
    }

    /// Makes the call; a persistent request is not started yet.
    int begin(Carpool_Ghosts map, MPI_Info info, ReusedHandles& operations_under_test) {
        GhostFields all;
        for (const auto& field : fields_)
            all.add(field->owned(), field->ghosts(), field->layout().count, given_type(*field));
        const auto op = given_op();
        const int code = reduces() ? begin_reduction(manner_.form, all, op, map, request_, info)
                                   : begin_update(manner_.form, all, map, request_, info);
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (all.types[i] != fields_[i]->layout().type) operations_under_test.drop(all.types[i]);
        if (op != manner_.op) operations_under_test.drop(op, manner_.reduces->commutes);
        return code;
    }

    int start() { return request_.start(); }
    int wait() { return request_.wait(); }

    std::string fault() {
        for (auto& field : fields_) {
            const auto found = reduces()
                                   ? field->fault_after_reduction({manner_.op, manner_.in_order})
                                   : field->fault_after_update();
            if (!found.empty()) return found;
        }
        return "";
    }

private:
    bool reduces() const { return manner_.reduces != nullptr; }

    MPI_Datatype given_type(const GhostField& field) const {
        const auto type = field.layout().type;
        int integers = 0;
        int addresses = 0;
        int types = 0;
        int combiner = 0;
        MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
        const bool derived = combiner != MPI_COMBINER_NAMED;
        return manner_.drops && derived ? ReusedHandles::copy_of(type) : type;
    }

    MPI_Op given_op() const {
        if (!manner_.drops || !reduces() || manner_.reduces->function == nullptr) return manner_.op;
        MPI_Op op = MPI_OP_NULL;
        MPI_Op_create(manner_.reduces->function, manner_.reduces->commutes, &op);
        return op;
    }

    CollectiveVariant manner_;
    std::vector<Type> types_;
    std::vector<std::unique_ptr<GhostField>> fields_;
    GhostRequest request_;
};

}  // namespace carpool::tests
