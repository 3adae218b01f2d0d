#include "bundle/init.hpp"

#include "carpool/carpool.h"

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/known_keys.hpp"

#include <algorithm>
#include <vector>

using namespace carpool;

int Carpool_Bundle_init(int n, Carpool_Request requests[], MPI_Comm comm, MPI_Info info,
                        Carpool_Request* bundle) {
    return api::guarded(__func__, comm, [&] {
        api::check_comm(comm, "comm");
        call::warn_of_unknown_keys(info, comm);
        api::check_not_null("bundle", bundle, "the address of a request");
        std::vector<const engine::Request*> members;
        if (requests != nullptr)
            std::transform(requests, requests + std::max(n, 0), std::back_inserter(members),
                           [](Carpool_Request request) {
                               return request == CARPOOL_REQUEST_NULL
                                          ? nullptr
                                          : request->engine_request.get();
                           });
        const bundle::Arguments arguments{n, requests != nullptr ? members.data() : nullptr};
        *bundle = api::wrapped(__func__, bundle::initialised(comm, arguments, info));
    });
}
