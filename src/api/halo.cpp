// SPDX-License-Identifier: MIT
#include "neighbor/halo/halo_init.hpp"

#include "carpool/carpool.h"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"
#include "base/element.hpp"

using namespace carpool;

namespace {

/// @param strides  null for arrays without gaps
int initialised(const char* function, const Carpool_Halo* halo, const MPI_Aint* strides,
                MPI_Comm cartcomm, MPI_Info info, Carpool_Request* request) {
    return api::guarded(function, cartcomm, [&] {
        api::check_init(cartcomm, info, request, {.comm = "cartcomm"});
        const Carpool_Halo nothing{};  // all ranks refuse it
        const auto& [fields, field, shape, lower, upper, order, element, t, stencil] =
            halo != nullptr ? *halo : nothing;
        *request = api::wrapped(
            function,
            neighbor::initialised(
                cartcomm, {fields, field, shape, lower, upper, order, element, t, stencil, strides},
                info));
    });
}

}  // namespace

int Carpool_Halo_init(const Carpool_Halo* halo, MPI_Comm cartcomm, MPI_Info info,
                      Carpool_Request* request) {
    return initialised(__func__, halo, nullptr, cartcomm, info, request);
}

/// Fortran has one function for arrays with and without gaps.
int Carpool_Halo_init_strided(const Carpool_Halo* halo, const MPI_Aint strides[], MPI_Comm cartcomm,
                              MPI_Info info, Carpool_Request* request) {
    const Carpool_Halo nothing{};
    return initialised(base::called_from_fortran ? "Carpool_Halo_init" : __func__,
                       strides != nullptr ? halo : &nothing, strides, cartcomm, info, request);
}
