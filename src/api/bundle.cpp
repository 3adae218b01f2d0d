#include "bundle/init.hpp"

#include "carpool/carpool.h"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"

#include <algorithm>
#include <vector>

using namespace carpool;

int Carpool_Bundle_init(int n, Carpool_Request requests[], MPI_Comm comm, MPI_Info info,
                        Carpool_Request* bundle) {
    return api::guarded(__func__, comm, [&] {
        api::check_init(comm, info, bundle, {.request = "bundle"});
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
