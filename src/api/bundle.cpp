// SPDX-License-Identifier: MIT
#include "bundle/init.hpp"

#include "carpool/carpool.h"

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

using namespace carpool;

namespace {

bundle::GivenRequest given(Carpool_Request request) {
    const auto* const made = api::find(request);
    if (made == nullptr) return {nullptr, api::instead_of_request(request)};
    return {made->engine_request.get(), nullptr};
}

}  // namespace

int Carpool_Bundle_init(int n, Carpool_Request requests[], MPI_Comm comm, MPI_Info info,
                        Carpool_Request* bundle) {
    const char* const function = __func__;
    return api::guarded(function, comm, [&] {
        api::check_init(comm, info, bundle, {.request = "bundle"});
        std::vector<bundle::GivenRequest> members;
        if (requests != nullptr)
            std::transform(requests, requests + std::max(n, 0), std::back_inserter(members), given);
        const bundle::BundleArguments arguments{n, requests != nullptr ? members.data() : nullptr};
        *bundle = api::wrapped(function, bundle::initialised(comm, arguments, info));
    });
}
