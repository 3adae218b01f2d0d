#pragma once

#include "carpool/carpool.h"
#include "engine/request.hpp"

#include <memory>

/// What a Carpool_Request points to.
struct Carpool_Request_s {
    std::unique_ptr<carpool::engine::Request> exchange;
};

namespace carpool::api {

Carpool_Request wrapped(std::unique_ptr<engine::Request> exchange);

}  // namespace carpool::api
