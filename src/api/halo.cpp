#include "neighbor/halo_init.hpp"

#include "carpool/carpool.h"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/known_keys.hpp"

using namespace carpool;

int Carpool_Halo_init(const Carpool_Halo* halo, MPI_Comm cartcomm, MPI_Info info,
                      Carpool_Request* request) {
    return api::guarded(__func__, cartcomm, [&] {
        api::check_comm(cartcomm, "cartcomm");
        call::warn_of_unknown_keys(info, cartcomm);
        const Carpool_Halo nothing{};  // which all ranks refuse alike
        const auto& [fields, field, shape, lower, upper, order, element, t, stencil] =
            halo != nullptr ? *halo : nothing;
        api::check_address(request);
        *request = api::wrapped(
            __func__,
            neighbor::initialised(
                cartcomm, {fields, field, shape, lower, upper, order, element, t, stencil}, info));
    });
}
