#pragma once

#include "carpool/request.h"
#include "engine/request.hpp"

#include <memory>
#include <utility>

/// What a Carpool_Request points to.
struct Carpool_Request_s {
    std::unique_ptr<carpool::engine::Request> engine_request;
};

namespace carpool::api {

inline Carpool_Request wrapped(std::unique_ptr<engine::Request> request) {
    return new Carpool_Request_s{std::move(request)};
}

}  // namespace carpool::api
