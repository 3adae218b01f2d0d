#pragma once

#include "carpool/carpool.h"
#include "neighbor/request.hpp"

#include <memory>

/// What a Carpool_Request points to.
struct Carpool_Request_s {
    std::unique_ptr<carpool::neighbor::Request> exchange;
};

namespace carpool::api {

Carpool_Request wrapped(std::unique_ptr<neighbor::Request> exchange);

}  // namespace carpool::api
