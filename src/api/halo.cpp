#include "neighbor/halo_init.hpp"

#include "carpool/carpool.h"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"

using namespace carpool;

int Carpool_Halo_init(const Carpool_Halo* halo, MPI_Comm cartcomm, MPI_Info info,
                      Carpool_Request* request) {
    return api::guarded(__func__, cartcomm, [&] {
        api::check_init(cartcomm, info, request, {.comm = "cartcomm"});
        const Carpool_Halo nothing{};  // which all ranks refuse alike
        const auto& [fields, field, shape, lower, upper, order, element, t, stencil] =
            halo != nullptr ? *halo : nothing;
        *request = api::wrapped(
            __func__,
            neighbor::initialised(
                cartcomm, {fields, field, shape, lower, upper, order, element, t, stencil}, info));
    });
}
